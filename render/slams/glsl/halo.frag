// Fades from the rim outwards.
in vec2 vFlat;
flat in vec4 vGlow;
out vec4 colour;
void main() {
  float far = (length(vFlat) - 1.) / .6;
  if (far < 0.) discard;
  colour = vec4(vGlow.rgb, vGlow.w * .26 * pow(clamp(1. - far, 0., 1.), 2.));
}
