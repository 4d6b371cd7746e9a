"use strict";
// Draws slams in space with WebGL2: round pieces with thickness and two faces, the wooden box,
// shadows, light around pieces that came to something. Lengths are in mm; z points up.

const LIGHT = `
const vec3 SUN = normalize(vec3(-.38, -.3, 1.));
uniform highp sampler2DShadow uShadow;
uniform mat4 uToSun;
uniform vec3 uEye;
uniform vec4 uPieces[24];   // centre and half thickness of each piece, for contact shadows
uniform int uCount;
uniform float uRadius;

float hash(vec2 p) { return fract(sin(dot(p, vec2(127.1, 311.7))) * 43758.5453); }
float noise(vec2 p) {
  vec2 i = floor(p), f = fract(p), u = f * f * (3. - 2. * f);
  return mix(mix(hash(i), hash(i + vec2(1, 0)), u.x),
             mix(hash(i + vec2(0, 1)), hash(i + vec2(1, 1)), u.x), u.y);
}
vec3 linear(vec3 c) { return pow(c, vec3(2.2)); }
vec3 shown(vec3 c) { return pow(clamp(c, 0., 1.), vec3(1. / 2.2)); }

// Share of the sun that reaches a point: the mean of 16 places around it in the shadow map.
float sunlight(vec3 place, vec3 normal) {
  vec4 p = uToSun * vec4(place + normal * .5, 1.);
  vec3 q = p.xyz * .5 + .5;
  if (any(lessThan(q, vec3(0.))) || any(greaterThan(q, vec3(1.)))) return 1.;
  float lit = 0., turn = hash(gl_FragCoord.xy) * 6.283;
  for (int k = 0; k < 16; k++) {
    float r = sqrt((float(k) + .5) / 16.) * .0034, a = float(k) * 2.4 + turn;
    lit += texture(uShadow, vec3(q.xy + r * vec2(cos(a), sin(a)), q.z - .0006));
  }
  return lit / 16.;
}
// Darkness below pieces that lie on a level or come close to it.
float contact(vec3 place) {
  float open = 1.;
  for (int k = 0; k < 24; k++) {
    if (k >= uCount) break;
    float gap = max(uPieces[k].z - uPieces[k].w - place.z, 0.);
    float aside = max(length(uPieces[k].xy - place.xy) - uRadius, 0.);
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
`;

const DISC_VERTEX = `#version 300 es
layout(location = 0) in vec4 aShape;   // direction from the axis; radius step; level
layout(location = 1) in vec2 aNormal;  // along the direction, along the axis
layout(location = 2) in vec4 iPlace;   // centre, half thickness
layout(location = 3) in vec4 iTurn;    // quaternion x, y, z, w
layout(location = 4) in vec3 iLook;    // layers of face and back, 1 for metal
layout(location = 5) in vec4 iGlow;    // colour and strength
uniform mat4 uView;
uniform float uRadius;
out vec3 vPlace, vNormal, vFlat;
flat out vec3 vLook;
flat out vec4 vGlow;
vec3 turned(vec4 q, vec3 v) { return v + 2. * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
void main() {
  float bevel = min(.5, .5 * iPlace.w);
  float radius = aShape.z < .5 ? 0. : uRadius - (aShape.z < 1.5 ? bevel : 0.);
  float level = sign(aShape.w) * (iPlace.w - (abs(aShape.w) < .75 ? bevel : 0.));
  vec3 own = vec3(radius * aShape.xy, level);
  vPlace = iPlace.xyz + turned(iTurn, own);
  vNormal = turned(iTurn, vec3(aNormal.x * aShape.xy, aNormal.y));
  vFlat = vec3(own.xy / uRadius, aNormal.y);
  vLook = iLook;
  vGlow = iGlow;
  gl_Position = uView * vec4(vPlace, 1.);
}`;

const DISC_FRAGMENT = `#version 300 es
precision highp float;
precision highp sampler2DArray;
${LIGHT}
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
}`;

const HALO_VERTEX = `#version 300 es
layout(location = 0) in vec4 aShape;
layout(location = 2) in vec4 iPlace;
layout(location = 3) in vec4 iTurn;
layout(location = 5) in vec4 iGlow;
uniform mat4 uView;
uniform float uRadius;
out vec2 vFlat;
flat out vec4 vGlow;
vec3 turned(vec4 q, vec3 v) { return v + 2. * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
void main() {
  // A soft light around the piece, in its own plane.
  vFlat = aShape.xy * (aShape.z > .5 ? 1.6 : 0.);
  vGlow = iGlow;
  gl_Position = uView * vec4(iPlace.xyz + turned(iTurn, vec3(uRadius * vFlat, 0.)), 1.);
}`;

const HALO_FRAGMENT = `#version 300 es
precision highp float;
in vec2 vFlat;
flat in vec4 vGlow;
out vec4 colour;
void main() {
  float far = (length(vFlat) - 1.) / .6;
  if (far < 0.) discard;
  colour = vec4(vGlow.rgb, vGlow.w * .26 * pow(clamp(1. - far, 0., 1.), 2.));
}`;

const BOX_VERTEX = `#version 300 es
layout(location = 0) in vec3 aPlace;
layout(location = 1) in vec3 aNormal;
layout(location = 2) in vec3 aWood;    // across and along the grain; 0 floor, 1 wall, 2 top
uniform mat4 uView;
out vec3 vPlace, vNormal, vWood;
void main() {
  vPlace = aPlace;
  vNormal = aNormal;
  vWood = aWood;
  gl_Position = uView * vec4(aPlace, 1.);
}`;

const BOX_FRAGMENT = `#version 300 es
precision highp float;
${LIGHT}
uniform float uHalf, uAlpha, uWall;
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
    corner = (1. - .42 * exp(-wall / 16.)) * contact(vPlace);
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
}`;

const GROUND_FRAGMENT = `#version 300 es
precision highp float;
${LIGHT}
uniform float uHalf, uAlpha, uWall;
in vec3 vPlace, vNormal, vWood;
out vec4 colour;
void main() {
  float out_of = max(abs(vPlace.x), abs(vPlace.y)) - uHalf;
  if (out_of < 0.) discard;
  float dark = .34 * (1. - sunlight(vPlace, vec3(0, 0, 1)));
  dark = 1. - (1. - dark) * (1. - .30 * exp(-max(out_of - uWall, 0.) / 26.)) * contact(vPlace);
  colour = vec4(0, 0, 0, dark * smoothstep(3.6, 1.6, length(vPlace.xy) / uHalf));
}`;

const DEPTH_FRAGMENT = `#version 300 es
precision highp float;
void main() {}`;

const SEGMENTS = 72, SHADOW_PX = 2048, ART_PX = 256, MOST_CONTACTS = 24;

// Matrices are arrays of 16, column by column, as WebGL wants them.
function product(a, b) {
  const c = new Float32Array(16);
  for (let col = 0; col < 4; col++) {
    for (let row = 0; row < 4; row++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += a[4 * k + row] * b[4 * col + k];
      c[4 * col + row] = sum;
    }
  }
  return c;
}

// Axes of a camera: to the right, up, and towards the eye; also defined straight above.
function axesOf(azimuth, elevation) {
  const [sa, ca] = [Math.sin(azimuth), Math.cos(azimuth)];
  const [se, ce] = [Math.sin(elevation), Math.cos(elevation)];
  return [[-sa, ca, 0], [-se * ca, -se * sa, ce], [ce * ca, ce * sa, se]];
}

function lookFrom(eye, [right, up, back]) {
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  return new Float32Array([
    right[0], up[0], back[0], 0, right[1], up[1], back[1], 0, right[2], up[2], back[2], 0,
    -dot(right, eye), -dot(up, eye), -dot(back, eye), 1,
  ]);
}

function perspective(field, aspect, near, far) {
  const f = 1 / Math.tan(field / 2);
  return new Float32Array([
    f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1,
    0, 0, 2 * far * near / (near - far), 0,
  ]);
}

function orthographic(half, near, far) {
  return new Float32Array([
    1 / half, 0, 0, 0, 0, 1 / half, 0, 0, 0, 0, 2 / (near - far), 0,
    0, 0, (far + near) / (near - far), 1,
  ]);
}

// A disc of radius 1: for each ring direction, radius step (0 axis, 1 inside the bevel, 2 outside),
// level (1 cap, .5 below the bevel; below 0 on the back), and the normal.
function discMesh() {
  const rings = [
    [0, 1, 0, 1], [1, 1, 0, 1],
    [1, 1, .4, .92], [2, .5, .95, .3],
    [2, .5, 1, 0], [2, -.5, 1, 0],
    [2, -.5, .95, -.3], [1, -1, .4, -.92],
    [1, -1, 0, -1], [0, -1, 0, -1],
  ];
  const points = [], corners = [];
  for (let k = 0; k <= SEGMENTS; k++) {
    const angle = 2 * Math.PI * k / SEGMENTS;
    for (const [radius, level, aside, along] of rings) {
      points.push(Math.cos(angle), Math.sin(angle), radius, level, aside, along);
    }
  }
  for (let k = 0; k < SEGMENTS; k++) {
    for (let ring = 0; ring < rings.length - 1; ring++) {
      const a = k * rings.length + ring, b = a + rings.length;
      corners.push(a, a + 1, b, b, a + 1, b + 1);
    }
  }
  return { points: new Float32Array(points), corners: new Uint16Array(corners) };
}

// The box: its floor, then its walls on the sides +x, +y, -x and -y, each 18 corners, the ground.
function boxMesh(half, height, thick) {
  const points = [];
  const quad = (corners, normal, wood, kind) => {
    for (const k of [0, 1, 2, 0, 2, 3]) points.push(...corners[k], ...normal, ...wood[k], kind);
  };
  const square = (size) => [[-size, -size, 0], [size, -size, 0], [size, size, 0], [-size, size, 0]];
  quad(square(half), [0, 0, 1], square(half).map((p) => p.slice(0, 2)), 0);
  for (const [x, y] of [[1, 0], [0, 1], [-1, 0], [0, -1]]) {
    const at = (out, along, z) => [out * x - along * y, out * y + along * x, z];
    const wide = half + thick;
    const grain = (z0, z1) => [[z0, -half], [z0, half], [z1, half], [z1, -half]];
    quad([at(half, -half, 0), at(half, half, 0), at(half, half, height), at(half, -half, height)],
      [-x, -y, 0], grain(0, height), 1);
    quad([at(half, -half, height), at(half, half, height),
      at(wide, wide, height), at(wide, -wide, height)], [0, 0, 1], grain(0, thick), 2);
    quad([at(wide, -wide, 0), at(wide, wide, 0), at(wide, wide, height), at(wide, -wide, height)],
      [x, y, 0], grain(0, height), 1);
  }
  quad(square(4 * half), [0, 0, 1], square(half).map((p) => p.slice(0, 2)), 0);
  return new Float32Array(points);
}

// Pictures of faces and backs, one layer each: energies, the back of a puck, slammers by label.
function drawArt(facts, labels) {
  const draw = (paint) => {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = ART_PX;
    const pen = canvas.getContext("2d");
    pen.translate(ART_PX / 2, ART_PX / 2);
    pen.scale(ART_PX / 2, ART_PX / 2);
    paint(pen);
    return canvas;
  };
  const disc = (pen, radius, style) => {
    pen.fillStyle = style;
    pen.beginPath();
    pen.arc(0, 0, radius, 0, 2 * Math.PI);
    pen.fill();
  };
  const ring = (pen, radius, width, style) => {
    pen.strokeStyle = style;
    pen.lineWidth = width;
    pen.beginPath();
    pen.arc(0, 0, radius, 0, 2 * Math.PI);
    pen.stroke();
  };
  const layers = Object.values(facts.energies).map((energy) => draw((pen) => {
    disc(pen, 1.5, "#eeeae0");
    disc(pen, .86, energy.colour);
    ring(pen, .8, .025, "rgba(255,255,255,.55)");
    ring(pen, .86, .02, "rgba(0,0,0,.25)");
    pen.fillStyle = energy.ink;
    for (const shape of energy.shapes) {
      pen.beginPath();
      for (let k = 0; k < shape.length; k += 2) pen.lineTo(shape[k], -shape[k + 1]);
      pen.closePath();
      pen.fill();
    }
  }));
  layers.push(draw((pen) => {
    const back = facts.themes.light.puck_back;
    disc(pen, 1.5, back);
    ring(pen, .9, .05, "rgba(255,255,255,.55)");
    for (let k = 0; k < 24; k++) {
      pen.save();
      pen.rotate(2 * Math.PI * k / 24);
      pen.fillStyle = "rgba(0,40,80,.20)";
      pen.beginPath();
      pen.moveTo(.3, -.02);
      pen.lineTo(.8, -.06);
      pen.lineTo(.8, .06);
      pen.lineTo(.3, .02);
      pen.fill();
      pen.restore();
    }
    disc(pen, .34, "rgba(0,40,80,.30)");
    disc(pen, .27, "rgba(255,255,255,.75)");
    disc(pen, .19, back);
  }));
  for (const label of labels) {
    layers.push(draw((pen) => {
      disc(pen, 1.5, "#bcc0c8");
      ring(pen, .9, .03, "#8d929b");
      ring(pen, .76, .07, "#9aa0a9");
      ring(pen, .79, .012, "#e4e7ec");
      disc(pen, .58, "#c8ccd3");
      ring(pen, .58, .02, "#8d929b");
      pen.fillStyle = "#545b66";
      pen.textAlign = "center";
      pen.textBaseline = "middle";
      pen.font = "700 .36px system-ui, sans-serif";
      pen.fillText(label, 0, .02, 1.0);
    }));
  }
  return layers;
}

function shaded(gl, vertex, fragment) {
  const program = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) {
      throw new Error(gl.getShaderInfoLog(shader));
    }
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
    throw new Error(gl.getProgramInfoLog(program));
  }
  const names = {};
  const count = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS);
  for (let k = 0; k < count; k++) {
    const name = gl.getActiveUniform(program, k).name;
    names[name.replace("[0]", "")] = gl.getUniformLocation(program, name);
  }
  return { program, at: names };
}

function rgb(css) {
  return [1, 3, 5].map((k) => parseInt(css.slice(k, k + 2), 16) / 255);
}

// Returns a function that draws views, or null without WebGL2.
// A view has a slam, the poses of its pieces, the light around each, a camera, and a box in pixels.
function makeScene(canvas, facts) {
  const gl = canvas.getContext("webgl2", { antialias: true, alpha: false });
  if (!gl) return null;
  const disc = shaded(gl, DISC_VERTEX, DISC_FRAGMENT);
  const halo = shaded(gl, HALO_VERTEX, HALO_FRAGMENT);
  const box = shaded(gl, BOX_VERTEX, BOX_FRAGMENT);
  const ground = shaded(gl, BOX_VERTEX, GROUND_FRAGMENT);
  const discDepth = shaded(gl, DISC_VERTEX, DEPTH_FRAGMENT);
  const boxDepth = shaded(gl, BOX_VERTEX, DEPTH_FRAGMENT);

  const attribute = (place, size, stride, offset, divisor) => {
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, size, gl.FLOAT, false, 4 * stride, 4 * offset);
    gl.vertexAttribDivisor(place, divisor);
  };
  const mesh = discMesh();
  const discs = gl.createVertexArray();
  gl.bindVertexArray(discs);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, mesh.points, gl.STATIC_DRAW);
  attribute(0, 4, 6, 0, 0);
  attribute(1, 2, 6, 4, 0);
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, mesh.corners, gl.STATIC_DRAW);
  const instances = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, instances);
  attribute(2, 4, 15, 0, 1);
  attribute(3, 4, 15, 4, 1);
  attribute(4, 3, 15, 8, 1);
  attribute(5, 4, 15, 11, 1);

  const boxes = new Map();
  const boxOf = ({ half, wall }) => {
    const key = `${half} ${wall}`;
    if (!boxes.has(key)) {
      const array = gl.createVertexArray();
      gl.bindVertexArray(array);
      gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
      const points = boxMesh(half, wall, facts.wallThickness);
      gl.bufferData(gl.ARRAY_BUFFER, points, gl.STATIC_DRAW);
      attribute(0, 3, 9, 0, 0);
      attribute(1, 3, 9, 3, 0);
      attribute(2, 3, 9, 6, 0);
      boxes.set(key, array);
    }
    return boxes.get(key);
  };

  const slams = facts.clips.flatMap((clip) => clip.slams);
  const metal = slams.flatMap((slam) => slam.pieces).filter((piece) => !piece.energy);
  const labels = [...new Set(metal.map((piece) => piece.label))];
  const energies = Object.keys(facts.energies);
  const layers = drawArt(facts, labels);
  const art = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D_ARRAY, art);
  const levels = Math.log2(ART_PX) + 1;
  gl.texStorage3D(gl.TEXTURE_2D_ARRAY, levels, gl.RGBA8, ART_PX, ART_PX, layers.length);
  layers.forEach((picture, layer) => gl.texSubImage3D(gl.TEXTURE_2D_ARRAY, 0, 0, 0, layer,
    ART_PX, ART_PX, 1, gl.RGBA, gl.UNSIGNED_BYTE, picture));
  gl.generateMipmap(gl.TEXTURE_2D_ARRAY);
  gl.texParameteri(gl.TEXTURE_2D_ARRAY, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
  const finer = gl.getExtension("EXT_texture_filter_anisotropic");
  if (finer) gl.texParameterf(gl.TEXTURE_2D_ARRAY, finer.TEXTURE_MAX_ANISOTROPY_EXT, 8);

  const shadow = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, shadow);
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, SHADOW_PX, SHADOW_PX);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
  const shadows = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, shadows);
  gl.framebufferTexture2D(
    gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, shadow, 0);

  const sunAzimuth = Math.atan2(-.3, -.38), sunElevation = Math.atan2(1, Math.hypot(.38, .3));
  const sunAxes = axesOf(sunAzimuth, sunElevation);

  const looks = (piece) => {
    if (piece.energy) return [energies.indexOf(piece.energy), energies.length, 0];
    const layer = energies.length + 1 + labels.indexOf(piece.label);
    return [layer, layer, 1];
  };

  return function draw(views, background) {
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.disable(gl.SCISSOR_TEST);
    gl.clearColor(...rgb(background), 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    for (const view of views) drawView(view);
  };

  function drawView({ slam, poses, glows, camera, box: [left, bottom, width, height] }) {
    const count = slam.pieces.length;
    const values = new Float32Array(15 * count), contacts = new Float32Array(4 * MOST_CONTACTS);
    slam.pieces.forEach((piece, k) => {
      const [x, y, z, qw, qx, qy, qz] = poses.subarray(7 * k, 7 * k + 7);
      values.set([x, y, z, piece.half, qx, qy, qz, qw, ...looks(piece), ...glows[k]], 15 * k);
      // Height of the lowest point of a tilted disc below its centre.
      const upright = Math.abs(1 - 2 * (qx * qx + qy * qy));
      const below = piece.half * upright + facts.radius * Math.sqrt(Math.max(1 - upright ** 2, 0));
      if (k < MOST_CONTACTS) contacts.set([x, y, z, below], 4 * k);
    });
    gl.bindBuffer(gl.ARRAY_BUFFER, instances);
    gl.bufferData(gl.ARRAY_BUFFER, values, gl.DYNAMIC_DRAW);
    const boxArray = boxOf(slam);

    // Depths as the sun sees them.
    const reach = 1.75 * slam.half;
    const sunEye = sunAxes[2].map((part) => part * 3 * reach);
    const toSun = product(orthographic(reach, reach, 5 * reach), lookFrom(sunEye, sunAxes));
    gl.bindFramebuffer(gl.FRAMEBUFFER, shadows);
    gl.disable(gl.SCISSOR_TEST);
    gl.viewport(0, 0, SHADOW_PX, SHADOW_PX);
    gl.enable(gl.DEPTH_TEST);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.useProgram(discDepth.program);
    gl.uniformMatrix4fv(discDepth.at.uView, false, toSun);
    gl.uniform1f(discDepth.at.uRadius, facts.radius);
    gl.bindVertexArray(discs);
    const corners = mesh.corners.length;
    gl.drawElementsInstanced(gl.TRIANGLES, corners, gl.UNSIGNED_SHORT, 0, count);
    gl.useProgram(boxDepth.program);
    gl.uniformMatrix4fv(boxDepth.at.uView, false, toSun);
    gl.bindVertexArray(boxArray);
    gl.drawArrays(gl.TRIANGLES, 6, 72);

    // The picture.
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(left, bottom, width, height);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(left, bottom, width, height);
    const aspect = width / height;
    const distance = camera.distance * Math.max(1, 1.6 / aspect);
    const axes = axesOf(camera.azimuth, camera.elevation);
    const eye = camera.target.map((part, k) => part + distance * axes[2][k]);
    const view = product(perspective(camera.field, aspect, 8, 6000), lookFrom(eye, axes));
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, shadow);
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D_ARRAY, art);
    const use = ({ program, at }) => {
      gl.useProgram(program);
      gl.uniformMatrix4fv(at.uView, false, view);
      gl.uniformMatrix4fv(at.uToSun, false, toSun);
      gl.uniform3fv(at.uEye, eye);
      gl.uniform1i(at.uShadow, 0);
      gl.uniform1f(at.uRadius, facts.radius);
      gl.uniform4fv(at.uPieces, contacts);
      gl.uniform1i(at.uCount, Math.min(count, MOST_CONTACTS));
      gl.uniform1f(at.uHalf, slam.half);
      gl.uniform1f(at.uWall, facts.wallThickness);
      gl.uniform1f(at.uAlpha, 1);
      gl.uniform1i(at.uArt, 1);
    };
    // A wall is behind the pieces if the eye is on the inner side of its plane.
    const outside = [eye[0], eye[1], -eye[0], -eye[1]].map((part) => part >= slam.half);
    gl.bindVertexArray(boxArray);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.depthMask(false);
    use(ground);
    gl.drawArrays(gl.TRIANGLES, 78, 6);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
    use(box);
    gl.drawArrays(gl.TRIANGLES, 0, 6);
    outside.forEach((front, side) => {
      if (!front) gl.drawArrays(gl.TRIANGLES, 6 + 18 * side, 18);
    });
    use(disc);
    gl.bindVertexArray(discs);
    gl.drawElementsInstanced(gl.TRIANGLES, corners, gl.UNSIGNED_SHORT, 0, count);
    gl.enable(gl.BLEND);
    gl.depthMask(false);
    use(halo);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE);
    gl.drawElementsInstanced(gl.TRIANGLES, corners, gl.UNSIGNED_SHORT, 0, count);
    // Walls before the pieces are seen through, as if of glass.
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    use(box);
    gl.bindVertexArray(boxArray);
    outside.forEach((front, side) => {
      if (!front) return;
      gl.uniform1f(box.at.uAlpha, .10);
      gl.drawArrays(gl.TRIANGLES, 6 + 18 * side, 6);
      gl.uniform1f(box.at.uAlpha, .42);
      gl.drawArrays(gl.TRIANGLES, 12 + 18 * side, 6);
    });
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }
}
