// Light of the scene: sun with soft shadows, sky, darkness below pieces. Stands before every
// fragment shader that uses it. Lengths are in mm; z points up.
const vec3 SUN = normalize(vec3(-.38, -.3, 1.));
uniform sampler2DShadow uShadow;
uniform mat4 uToSun;
uniform vec3 uEye;
uniform vec4 uPieces[32];   // place, lowest height and radius of each piece
uniform int uCount;

// A number of 0 to 1 for each whole place: integers, so that all graphics have the same grain.
float hash(vec2 p) {
  uvec2 q = uvec2(ivec2(floor(p)));
  uint n = q.x * 1597334677u ^ q.y * 3812015801u;
  n = (n ^ n >> 15) * 2246822519u;
  return float((n ^ n >> 13) >> 8) / 16777216.;
}
float noise(vec2 p) {
  vec2 i = floor(p), f = fract(p), u = f * f * (3. - 2. * f);
  return mix(mix(hash(i), hash(i + vec2(1, 0)), u.x),
             mix(hash(i + vec2(0, 1)), hash(i + vec2(1, 1)), u.x), u.y);
}
vec3 linear(vec3 c) { return pow(c, vec3(2.2)); }
vec3 shown(vec3 c) { return pow(clamp(c, 0., 1.), vec3(1. / 2.2)); }

// Share of the sun that reaches a point: the mean of 12 places around it in the shadow map.
float sunlight(vec3 place, vec3 normal) {
  vec4 p = uToSun * vec4(place + normal * .5, 1.);
  vec3 q = p.xyz * .5 + .5;
  if (any(lessThan(q, vec3(0.))) || any(greaterThan(q, vec3(1.)))) return 1.;
  // Width of the map's texture for a millimetre: the map's matrix only turns and scales evenly.
  float wide = .5 * length(vec3(uToSun[0].x, uToSun[1].x, uToSun[2].x));
  float lit = 0., turn = hash(gl_FragCoord.xy) * 6.283;
  for (int k = 0; k < 12; k++) {
    float r = sqrt((float(k) + .5) / 12.) * 1.8 * wide, a = float(k) * 2.4 + turn;
    lit += texture(uShadow, vec3(q.xy + r * vec2(cos(a), sin(a)), q.z - .32 * wide));
  }
  return lit / 12.;
}
// Darkness below pieces that lie on a level or come close to it.
float contact(vec3 place) {
  float open = 1.;
  for (int k = 0; k < 32; k++) {
    if (k >= uCount) break;
    if (uPieces[k].z < -1.) continue;   // hidden below the table
    float gap = max(uPieces[k].z - place.z, 0.);
    float aside = max(length(uPieces[k].xy - place.xy) - uPieces[k].w, 0.);
    if (gap > 60. || aside > 5. * (2. + .5 * gap)) continue;
    open *= 1. - .5 * exp(-aside / (2. + .5 * gap)) * exp(-gap / 12.);
  }
  return open;
}
vec3 sky(vec3 d) {
  vec3 high = mix(vec3(.92, .88, .82), vec3(.50, .62, .80), clamp(d.z, 0., 1.));
  vec3 c = mix(vec3(.26, .17, .10), high, smoothstep(-.12, .12, d.z));
  c += 1.9 * smoothstep(.86, .97, dot(d, SUN));
  return c + .55 * smoothstep(.08, .0, abs(dot(d, normalize(vec3(.8, -.45, .0))) - .35));
}
