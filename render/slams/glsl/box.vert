// The box and the table.
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
}
