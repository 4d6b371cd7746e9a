"use strict";
// Plays contacts with WebAudio. A voice is a sum of decaying tones and a burst of noise.

// Returns the functions `play` and `wake`, or null without WebAudio.
function makeSounds(facts) {
  const Context = window.AudioContext;
  if (!Context) return null;
  let context = null;
  const buffers = {}, played = [];

  function bufferOf(name) {
    if (!buffers[name]) {
      const voice = facts.voices[name], rate = context.sampleRate;
      const buffer = context.createBuffer(1, Math.ceil(voice.length_s * rate), rate);
      const samples = buffer.getChannelData(0);
      let seed = 1;
      for (let k = 0; k < samples.length; k++) {
        const t = k / rate;
        seed = (1664525 * seed + 1013904223) >>> 0;
        let value = voice.noise * (seed / 2 ** 31 - 1) * Math.exp(-t / voice.noise_decay_s);
        for (const [hz, decay, strength] of voice.tones) {
          value += strength * Math.sin(2 * Math.PI * hz * t) * Math.exp(-t / decay);
        }
        samples[k] = value;
      }
      buffers[name] = buffer;
    }
    return buffers[name];
  }

  return {
    played,   // names of all sounds so far, for tests
    // Browsers stay silent until a key, a button or the page is touched.
    wake() {
      const { userActivation } = navigator;
      if (userActivation && !userActivation.hasBeenActive) return;
      if (!context) context = new Context();
      if (context.state === "suspended") context.resume().catch(() => {});
    },
    play(name, loudness, place, pitch) {
      played.push(name);
      if (!context || context.state !== "running") return;
      const source = context.createBufferSource(), gain = context.createGain();
      const side = context.createStereoPanner();
      source.buffer = bufferOf(name);
      source.playbackRate.value = pitch;
      gain.gain.value = loudness;
      side.pan.value = place;
      source.connect(gain).connect(side).connect(context.destination);
      source.start();
    },
  };
}
