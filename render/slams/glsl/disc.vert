// A piece: a disc with bevelled edges, placed and turned by its instance.
layout(location = 0) in vec4 aShape;   // direction from the axis; radius step; level
layout(location = 1) in vec2 aNormal;  // along the direction, along the axis
layout(location = 2) in vec4 iPlace;   // centre, half thickness
layout(location = 3) in vec4 iTurn;    // quaternion x, y, z, w
layout(location = 4) in vec4 iLook;    // layers of face and back, 1 for metal; radius
layout(location = 5) in vec4 iGlow;    // colour and strength
uniform mat4 uView;
out vec3 vPlace, vNormal, vFlat;
flat out vec3 vLook;
flat out vec4 vGlow;
vec3 turned(vec4 q, vec3 v) { return v + 2. * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
void main() {
  float bevel = min(.5, .5 * iPlace.w);
  float radius = aShape.z < .5 ? 0. : iLook.w - (aShape.z < 1.5 ? bevel : 0.);
  float level = sign(aShape.w) * (iPlace.w - (abs(aShape.w) < .75 ? bevel : 0.));
  vec3 own = vec3(radius * aShape.xy, level);
  vPlace = iPlace.xyz + turned(iTurn, own);
  vNormal = turned(iTurn, vec3(aNormal.x * aShape.xy, aNormal.y));
  vFlat = vec3(own.xy / iLook.w, aNormal.y);
  vLook = iLook.xyz;
  vGlow = iGlow;
  gl_Position = uView * vec4(vPlace, 1.);
}
