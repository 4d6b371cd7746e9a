// A soft light around a piece, in its own plane.
layout(location = 0) in vec4 aShape;
layout(location = 2) in vec4 iPlace;
layout(location = 3) in vec4 iTurn;
layout(location = 4) in vec4 iLook;
layout(location = 5) in vec4 iGlow;
uniform mat4 uView;
out vec2 vFlat;
flat out vec4 vGlow;
vec3 turned(vec4 q, vec3 v) { return v + 2. * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
void main() {
  vFlat = aShape.xy * (aShape.z > .5 ? 1.6 : 0.);
  vGlow = iGlow;
  gl_Position = uView * vec4(iPlace.xyz + turned(iTurn, vec3(iLook.w * vFlat, 0.)), 1.);
}
