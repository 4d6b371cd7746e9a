// The table that the box stands on: smooth, with a fine grain, fading into the background.
uniform float uHalf, uWall;
uniform vec3 uTable, uBackground;
in vec3 vPlace, vNormal, vWood;
out vec4 colour;
void main() {
  float out_of = max(abs(vPlace.x), abs(vPlace.y)) - uHalf;
  if (out_of < 0.) discard;
  float grain = noise(vec2(vPlace.x * .9, vPlace.y * .07)) + noise(vPlace.xy * .011);
  // Fibres finer than a pixel would flicker.
  vec3 wood = linear(uTable) * (1. + .07 * (grain - 1.) * smoothstep(1.2, .3, fwidth(vPlace.x)));
  float open = (1. - .30 * exp(-max(out_of - uWall, 0.) / 26.)) * contact(vPlace);
  float lit = mix(.55, 1., sunlight(vPlace, vec3(0, 0, 1)));
  float far = smoothstep(4.2, 8.5, length(vPlace.xy) / uHalf);
  colour = vec4(mix(shown(wood * open * lit), uBackground, far), 1.);
}
