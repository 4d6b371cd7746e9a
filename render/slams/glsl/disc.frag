// Faces of pucks, turned metal of slammers, and the light around pieces that came to something.
uniform sampler2DArray uArt;
in vec3 vPlace, vNormal, vFlat;
flat in vec3 vLook;
flat in vec4 vGlow;
out vec4 colour;
void main() {
  bool metal = vLook.z > .5, cap = abs(vFlat.z) > .98;
  vec3 n = normalize(vNormal), v = normalize(uEye - vPlace);
  // The back is seen from below: its picture is turned over so that it is not mirrored.
  vec2 at = vec2(vFlat.x, vFlat.z > 0. ? -vFlat.y : vFlat.y) * .5 + .5;
  vec3 art = texture(uArt, vec3(at, vFlat.z > 0. ? vLook.x : vLook.y)).rgb;
  vec3 base = linear(cap ? art : metal ? vec3(.66, .68, .71) : vec3(.93, .91, .86));
  float lit = sunlight(vPlace, n) * max(dot(n, SUN), 0.);
  vec3 half_way = normalize(v + SUN);
  vec3 c;
  if (metal) {
    float r = length(vFlat.xy);
    // Turned metal: fine rings tilt the normal along the radius.
    if (cap) n = normalize(n + .05 * (noise(vec2(r * 90., 1.)) - .5) * normalize(vPlace));
    vec3 seen = sky(reflect(-v, n));
    c = base * (.25 + .95 * seen) * (.55 + .45 * lit)
      + .9 * lit * pow(max(dot(n, half_way), 0.), 60.);
  } else {
    vec3 ambient = mix(vec3(.34, .29, .25), vec3(.56, .60, .66), n.z * .5 + .5);
    c = base * (ambient + vec3(.88, .82, .74) * lit);
    float edge = pow(1. - max(dot(n, v), 0.), 5.);
    c += (.04 + .5 * edge) * .35 * sky(reflect(-v, n));
    c += .35 * lit * pow(max(dot(n, half_way), 0.), 48.);
  }
  if (vGlow.w > 0.) {
    float rim = cap ? smoothstep(.78, .98, length(vFlat.xy)) : 1.;
    vec3 glow = linear(vGlow.rgb);
    c = mix(c, glow * 1.15, vGlow.w * rim * .85) + glow * .07 * vGlow.w;
  }
  colour = vec4(shown(c), 1.);
}
