// Pixels of the panels; rows of pygame count from above.
uniform sampler2D uPanels;
in vec2 vAt;
out vec4 colour;
void main() { colour = texture(uPanels, vec2(vAt.x, 1. - vAt.y)); }
