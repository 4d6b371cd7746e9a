// The whole window, for the panels that are laid over the views.
out vec2 vAt;
void main() {
  vAt = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  gl_Position = vec4(2. * vAt - 1., 0., 1.);
}
