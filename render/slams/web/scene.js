"use strict";
// Draws slams in space with WebGL2. Shaders, meshes, pictures of faces and colours stand in the
// page, the same that the program draws with elsewhere. Lengths are in mm; z points up.

const SHADOW_PX = 2048, LABELS = 6;

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

// Bytes that stand in the page deflated, in base 64.
async function inflate(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Pictures of faces, one layer after another; in the page, the layers of a pixel stand together.
async function facePictures({ size, colours, pixels }) {
  const indices = await inflate(pixels), count = size * size, layers = colours.length;
  const pictures = new Uint8Array(4 * count * layers).fill(255);
  for (let layer = 0; layer < layers; layer++) {
    for (let k = 0; k < count; k++) {
      const own = 3 * indices[k * layers + layer], at = 4 * (layer * count + k);
      for (let part = 0; part < 3; part++) pictures[at + part] = colours[layer][own + part];
    }
  }
  return pictures;
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

// The points of a disc, a profile turned about its axis, and the corners of its triangles.
function discMesh({ profile, segments }) {
  const points = [], indices = [];
  for (let k = 0; k <= segments; k++) {
    const angle = 2 * Math.PI * k / segments;
    for (const own of profile) points.push(Math.cos(angle), Math.sin(angle), ...own);
    for (let n = 0; k < segments && n < profile.length - 1; n++) {
      const first = profile.length * k + n, across = first + profile.length;
      indices.push(first, first + 1, across, across, first + 1, across + 1);
    }
  }
  return { points: new Float32Array(points), indices: new Uint16Array(indices) };
}

// Corners of triangles: the floor, the walls on +x, +y, -x and -y, the table. Each has a place, a normal,
// and a place on the wood: across and along the grain, and 0 for the floor, 1 for a wall, 2 for its top.
function boxMesh({ half, wall: height, open }, thickness) {
  const wide = half + (open ? 0 : thickness), points = [];
  const add = (corners, normal, kind, axis = 1) => {
    for (const place of [0, 1, 2, 0, 2, 3].map((k) => corners[k])) {
      const across = [place[0], place[2], Math.max(Math.abs(place[0]), Math.abs(place[1])) - half][kind];
      points.push(...place, ...normal, across, place[axis], kind);
    }
  };
  const square = (side) => [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([x, y]) => [x * side, y * side, 0]);
  add(square(half), [0, 0, 1], 0);
  for (const [x, y] of [[1, 0], [0, 1], [-1, 0], [0, -1]]) {
    const at = (out, along, z) => [out * x - along * y, out * y + along * x, z];
    const over = [at(half, half, height), at(half, -half, height)];
    const outer = [at(wide, wide, height), at(wide, -wide, height)];
    add([at(half, -half, 0), at(half, half, 0), ...over], [-x, -y, 0], 1, Math.abs(x));
    add([over[1], over[0], ...outer], [0, 0, 1], 2, Math.abs(x));
    add([at(wide, -wide, 0), at(wide, wide, 0), ...outer], [x, y, 0], 1, Math.abs(x));
  }
  add(square(9 * half), [0, 0, 1], 0);
  return new Float32Array(points);
}

// Returns a function that draws views from above without WebGL: discs, the highest one last.
function makePlainScene(canvas, facts) {
  const pen = canvas.getContext("2d");
  return ([{ slam, poses, glows, camera }], { background, floor, text, slammer, accent }) => {
    const { width, height } = canvas, { half, pieces } = slam;
    pen.resetTransform();
    pen.fillStyle = background;
    pen.fillRect(0, 0, width, height);
    const scale = height / 2 / Math.tan(camera.field / 2) / camera.distance;
    pen.setTransform(scale, 0, 0, -scale, width / 2, height / 2);   // y points up
    pen.rotate(-camera.azimuth - Math.PI / 2);
    pen.translate(-camera.target[0], -camera.target[1]);
    pen.fillStyle = floor;
    pen.fillRect(-half, -half, 2 * half, 2 * half);
    const at = (k) => poses.subarray(7 * k, 7 * k + 7);
    for (const k of [...pieces.keys()].sort((a, b) => at(a)[2] - at(b)[2])) {
      const [x, y, , w, i, j, l] = at(k), { radius, metal, mark } = pieces[k];
      const up = 1 - 2 * (i * i + j * j), tilted = Math.atan2(j * l - w * i, i * l + w * j);
      pen.beginPath();
      pen.ellipse(x, y, radius * Math.abs(up), radius, tilted, 0, 2 * Math.PI);
      pen.fillStyle = metal ? slammer : up > 0 ? accent : text;
      [pen.strokeStyle, pen.lineWidth] = glows[k][3] ? [facts.themes.dark[mark], 4] : [background, .5];
      pen.stroke();
      pen.fill();
    }
  };
}

// Returns a function that draws views, or null without WebGL2.
// A view has a slam, the poses of its pieces, the light around each, a camera, and a box in pixels.
async function makeScene(canvas, facts) {
  const gl = canvas.getContext("webgl2", { antialias: true, alpha: false });
  if (!gl) return null;
  const { shaders, programs, disc: mesh, art: faces, contacts: most } = facts.gl;
  const made = {};
  for (const [name, [vertex, fragment]] of Object.entries(programs)) {
    made[name] = shaded(gl, shaders[vertex], shaders[fragment]);
  }
  const { disc, halo, box, table, disc_depth: discDepth, box_depth: boxDepth } = made;

  const attribute = (place, size, stride, offset, divisor) => {
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, size, gl.FLOAT, false, 4 * stride, 4 * offset);
    gl.vertexAttribDivisor(place, divisor);
  };
  const discs = gl.createVertexArray();
  gl.bindVertexArray(discs);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  const { points, indices } = discMesh(mesh), corners = indices.length;
  gl.bufferData(gl.ARRAY_BUFFER, points, gl.STATIC_DRAW);
  attribute(0, 4, 6, 0, 0);
  attribute(1, 2, 6, 4, 0);
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, indices, gl.STATIC_DRAW);
  const instances = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, instances);
  attribute(2, 4, 16, 0, 1);
  attribute(3, 4, 16, 4, 1);
  attribute(4, 4, 16, 8, 1);
  attribute(5, 4, 16, 12, 1);

  const boxes = {};
  function boxOf(slam) {
    const name = `${slam.half} ${slam.wall} ${slam.open}`;
    if (boxes[name]) return boxes[name];
    boxes[name] = gl.createVertexArray();
    gl.bindVertexArray(boxes[name]);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, boxMesh(slam, facts.wallThickness), gl.STATIC_DRAW);
    for (let place = 0; place < 3; place++) attribute(place, 3, 9, 3 * place, 0);
    return boxes[name];
  }

  const art = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D_ARRAY, art);
  const { size, layers } = faces, levels = Math.log2(size) + 1, given = layers.length;
  const pictures = await facePictures(faces), labels = layers.includes("") ? LABELS : 0;
  gl.texStorage3D(gl.TEXTURE_2D_ARRAY, levels, gl.RGBA8, size, size, given + labels);
  gl.texSubImage3D(gl.TEXTURE_2D_ARRAY, 0, 0, 0, 0, size, size, given, gl.RGBA,
    gl.UNSIGNED_BYTE, pictures);
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

  const [sunX, sunY, sunZ] = facts.gl.sun;
  const sunAxes = axesOf(Math.atan2(sunY, sunX), Math.atan2(sunZ, Math.hypot(sunX, sunY)));
  // The layer of a picture; a label that has none is written on the slammer without one.
  let written = 0;
  function layerOf(name) {
    const known = layers.indexOf(name);
    if (known >= 0 || !labels) return known;
    const at = given + written++ % labels, board = new OffscreenCanvas(size, size), pen = board.getContext("2d");
    const begin = 4 * size * size * layers.indexOf("");
    pen.putImageData(new ImageData(new Uint8ClampedArray(pictures.slice(begin, begin + 4 * size * size)), size, size), 0, 0);
    pen.font = `600 ${.3 * size}px system-ui, sans-serif`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillStyle = "#545b66";
    pen.fillText(name, size / 2, .51 * size, .5 * size);
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D_ARRAY, art);
    gl.texSubImage3D(gl.TEXTURE_2D_ARRAY, 0, 0, 0, at, size, size, 1, gl.RGBA, gl.UNSIGNED_BYTE,
      pen.getImageData(0, 0, size, size).data);
    gl.generateMipmap(gl.TEXTURE_2D_ARRAY);
    layers[at] = name;
    return at;
  }
  const looks = ({ face, back, metal, radius }) => [layerOf(face), layerOf(back), metal, radius];

  return function draw(views, { background, floor }) {
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.disable(gl.SCISSOR_TEST);
    gl.clearColor(...rgb(background), 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    for (const view of views) drawView(view, rgb(background), rgb(floor));
  };

  function drawView(
    { slam, poses, glows, camera, box: [left, bottom, width, height] }, background, surface) {
    const count = slam.pieces.length;
    const values = new Float32Array(16 * count), contacts = new Float32Array(4 * most);
    slam.pieces.forEach((piece, k) => {
      const [x, y, z, qw, qx, qy, qz] = poses.subarray(7 * k, 7 * k + 7);
      values.set([x, y, z, piece.half, qx, qy, qz, qw, ...looks(piece), ...glows[k]], 16 * k);
      // Height of the lowest point of a tilted disc below its centre.
      const upright = Math.abs(1 - 2 * (qx * qx + qy * qy));
      const below = piece.half * upright + piece.radius * Math.sqrt(Math.max(1 - upright ** 2, 0));
      if (k < most) contacts.set([x, y, z - below, piece.radius], 4 * k);
    });
    const boxArray = boxOf(slam);
    gl.bindBuffer(gl.ARRAY_BUFFER, instances);
    gl.bufferData(gl.ARRAY_BUFFER, values, gl.DYNAMIC_DRAW);

    // Depths as the sun sees them: the box and all pieces near it.
    const far = Math.max(...poses.filter((_, k) => k % 7 < 3).map(Math.abs));
    const wide = Math.max(...slam.pieces.map((piece) => piece.radius));
    const reach = Math.max(1.75 * slam.half, Math.min(1.1 * far + wide, 3 * slam.half));
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
    gl.bindVertexArray(discs);
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
    const axes = axesOf(camera.azimuth, camera.elevation);
    const eye = camera.target.map((part, k) => part + camera.distance * axes[2][k]);
    const view = product(perspective(camera.field, aspect, ...facts.gl.depths), lookFrom(eye, axes));
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
      gl.uniform4fv(at.uPieces, contacts);
      gl.uniform1i(at.uCount, Math.min(count, most));
      gl.uniform1f(at.uHalf, slam.half);
      gl.uniform1f(at.uWall, slam.open ? 0 : facts.wallThickness);
      gl.uniform1f(at.uOut, slam.out || 0);
      gl.uniform1f(at.uAlpha, 1);
      gl.uniform1i(at.uArt, 1);
      gl.uniform3fv(at.uTable, surface);
      gl.uniform3fv(at.uBackground, background);
    };
    // A wall is behind the pieces if the eye is on the inner side of its plane.
    const outside = [eye[0], eye[1], -eye[0], -eye[1]].map((part) => part >= slam.half);
    gl.bindVertexArray(boxArray);
    gl.depthMask(false);   // nothing is below the table
    use(table);
    gl.drawArrays(gl.TRIANGLES, 78, 6);
    gl.depthMask(true);
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
