// Depth only, for the shadow map.
void main() {}
