// The wood of the box: planks, rings, fibres.
uniform float uHalf, uAlpha, uWall;
uniform float uOut;   // radius of the circle beyond which a piece is out; 0 for none
in vec3 vPlace, vNormal, vWood;
out vec4 colour;
vec3 wood(vec2 at, float plank, vec3 base) {
  float wave = noise(vec2(at.x * .045 + plank * 7.3, at.y * .011 + plank * 3.1));
  float ring = .5 + .5 * sin((at.x * .22 + 11. * wave) * 2.1);
  float fibre = noise(vec2(at.x * 2.6, at.y * .06 + plank * 5.));
  float tone = .90 + .13 * hash(vec2(plank, 4.)) + .10 * (ring - .5);
  // Fibres finer than a pixel would flicker.
  tone += .13 * (fibre - .5) * smoothstep(1.2, .3, fwidth(at.x * 2.6));
  return linear(base) * tone * tone;
}
void main() {
  vec3 n = normalize(vNormal), base;
  float corner;
  if (vWood.z < .5) {
    float width = uHalf / 4., x = (vWood.x + uHalf) / width, gap = abs(fract(x + .5) - .5) * width;
    base = wood(vWood.xy, floor(x), vec3(.73, .55, .365));
    base *= mix(.45, 1., smoothstep(.15, .8, gap));
    float wall = uHalf - max(abs(vPlace.x), abs(vPlace.y));
    corner = (1. - (uWall > 0. ? .42 : 0.) * exp(-wall / 16.)) * contact(vPlace);
    if (uOut > 0.) base *= mix(.4, 1., smoothstep(.6, 1.4, abs(length(vPlace.xy) - uOut)));
  } else {
    bool top = vWood.z > 1.5;
    base = wood(vWood.xy, 20. + vWood.z, top ? vec3(.83, .67, .48) : vec3(.60, .435, .275));
    corner = top ? 1. : 1. - .42 * exp(-vPlace.z / 16.);
  }
  float lit = sunlight(vPlace, n) * max(dot(n, SUN), 0.);
  vec3 ambient = mix(vec3(.30, .25, .21), vec3(.50, .52, .55), n.z * .5 + .5);
  vec3 c = base * corner * (ambient + vec3(.86, .79, .69) * lit);
  vec3 v = normalize(uEye - vPlace);
  c += .05 * lit * pow(max(dot(n, normalize(v + SUN)), 0.), 18.);
  colour = vec4(shown(c), uAlpha);
}
