// A flick over the canvas: the faster it is, the harder the throw.

const SLOWEST_M_S = .8, FASTEST_M_S = 10, FLICK_MS = 120, HELD_MS = 250, FRAME_MS = 16, TAP_PX = 6, FARTHEST_MM = 60;

// `use` has: aims() says whether a flick is wanted; moved(flick) and thrown(flick) take its speed in
// m/s, its direction in radians from +x, and where it began in pixels; tapped(aims) takes a tap, and
// says of one while a flick is wanted whether it was one.
function listenToFlicks(use) {
  const drawing = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  drawing.id = "flick";
  drawing.innerHTML = '<line style="display: none"></line>';
  canvas.parentElement.append(drawing, $("said"));
  const line = drawing.firstChild;
  const stop = (event) => { event.stopImmediatePropagation(); event.preventDefault(); };
  const at = (event) => [event.timeStamp, event.offsetX, event.offsetY];
  let held = null, tapped = null, trail = [];

  // Speed and direction of the last part of the pointer's way, at a time; held still it has none.
  function measure(now) {
    const last = trail.at(-1), begin = trail.findIndex(([t]) => t >= last[0] - FLICK_MS);
    const [t, x, y] = trail[Math.max(Math.min(begin, trail.length - 2), 0)];
    const [dx, dy] = [last[1] - x, y - last[2]];
    const length = now > last[0] + HELD_MS ? 0 : Math.hypot(dx, dy) / canvas.clientHeight;
    const speed = 1000 * length / Math.max(last[0] - t, FRAME_MS);
    // On the floor, up in the picture is away from the camera.
    const direction = Math.atan2(dy, dx) + cameraNow().azimuth + Math.PI / 2;
    return { speed: Math.min(speed, FASTEST_M_S), direction, from: trail[0].slice(1) };
  }

  canvas.addEventListener("pointerdown", (event) => {
    if (event.button) return;   // other buttons turn the view
    tapped = use.aims() ? null : [event.offsetX, event.offsetY];
    if (!use.aims() || held !== null) return;
    stop(event);
    held = event.pointerId;
    canvas.setPointerCapture(held);
    trail = [at(event)];
  }, true);
  canvas.addEventListener("pointermove", (event) => {
    if (event.pointerId !== held) return;
    stop(event);
    trail.push(at(event));
    const [, x, y] = trail[0], [, a, b] = trail.at(-1);
    for (const [name, value] of Object.entries({ x1: x, y1: y, x2: a, y2: b })) {
      line.setAttribute(name, value);
    }
    line.style.display = "";
    use.moved(measure(0));
  }, true);
  for (const name of ["pointerup", "pointercancel"]) {
    canvas.addEventListener(name, (event) => {
      const [x, y] = tapped || [1e9, 1e9];
      if (Math.hypot(event.offsetX - x, event.offsetY - y) < TAP_PX) use.tapped(false);
      if (event.pointerId !== held) return;
      stop(event);
      held = null;
      line.style.display = "none";
      const flick = measure(event.timeStamp);
      const [, a, b] = trail[0], isTap = Math.hypot(event.offsetX - a, event.offsetY - b) < TAP_PX;
      if (name === "pointercancel" || isTap && use.tapped(true)) say("");
      else if (flick.speed >= SLOWEST_M_S) use.thrown(flick);
      else {
        say(`too slow, ${flick.speed.toFixed(1)} m/s: a flick through the height of the picture `
          + `in a second is 1 m/s, and the slowest throw is ${SLOWEST_M_S} m/s`);
      }
    }, true);
  }
}

// The place under a pixel at a height over the floor.
function placeAt([x, y], height) {
  const camera = cameraNow(), [right, up, back] = axesOf(camera.azimuth, camera.elevation);
  const half = Math.tan(camera.field / 2), aspect = canvas.clientWidth / canvas.clientHeight;
  const across = (2 * x / canvas.clientWidth - 1) * half * aspect;
  const above = (1 - 2 * y / canvas.clientHeight) * half;
  const ray = back.map((part, k) => across * right[k] + above * up[k] - part);
  const eye = camera.target.map((part, k) => part + camera.distance * back[k]), far = (height - eye[2]) / ray[2];
  return far > 0 ? { x: eye[0] + far * ray[0], y: eye[1] + far * ray[1] } : { x: 0, y: 0 };
}

// What a flick throws at a height over the floor: speed, direction, and its aim, where its line passes the stack's middle.
function aimOf({ speed, direction, from }, height) {
  const { x, y } = placeAt(from, height), [sine, cosine] = [Math.sin(direction), Math.cos(direction)];
  const beside = clamp(y * cosine - x * sine, -FARTHEST_MM, FARTHEST_MM);
  return { speed: clamp(speed, .5, FASTEST_M_S), direction, x: -beside * sine, y: beside * cosine };
}
