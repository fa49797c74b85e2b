import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import budgets from "../budgets.json" with { type: "json" };
import { longChat, smallChat } from "../load/chat-request";
import { measure, type Sample } from "../load/measure";
import { LOAD_CORE } from "../load/pin";
import { forgetPeak, peakResidentMb, residentMb } from "../load/resident-memory";
import { type Stage, startStage } from "../load/stage";
import { kill, startServerProgram } from "../load/start-program";
import { print, printTable } from "../print";
import { startBareRelay } from "../targets/start-bare-relay";
import { startNginx } from "../targets/start-nginx";
import { startPortkey } from "../targets/start-portkey";
import { startTollgate } from "../targets/start-tollgate";
import type { Target, TargetSettings } from "../targets/target";
import type { Verdict } from "../verdicts";
import type { Part } from "./part";

/*
 * 1,500 clients send a long chat each, all at the same moment: once with an upstream that answers immediately, and in
 * waves with one that answers only when it has all requests, so that the relay holds all of them together.
 */

const CLIENTS = 1500;
const BODY_BYTES = 150_000;
const BODIES_MB = (CLIENTS * BODY_BYTES) / 1e6;
/** A second and a third wave show whether memory is used again or grows. */
const HELD_WAVES = 3;
const SETTLE_MS = 10_000;
/** Small requests afterwards, as in normal use: an idle process has no reason to collect its garbage. */
const AFTERWARDS = { body: smallChat(false), connections: 32, durationMs: 3000 };
/** After this no client sends anything new; the answers are waited for. */
const SEND_WITHIN_MS = 600_000;

interface Wave {
  title: string;
  sample: Sample;
  peakMb: number;
  /** Number of simultaneous requests at the upstream; undefined for one that answers immediately. */
  held: number | undefined;
}

interface Course {
  idleMb: number;
  waves: Wave[];
  afterMb: number;
}

const sendWave = async (stage: Stage, target: Target, title: string): Promise<Wave> => {
  forgetPeak(target.pids);
  const sample = await measure(stage, target, {
    body: longChat(BODY_BYTES),
    connections: CLIENTS,
    durationMs: SEND_WITHIN_MS,
    requestsPerConnection: 1,
  });
  return { title, sample, peakMb: peakResidentMb(target.pids), held: undefined };
};

type Start = (settings: TargetSettings) => Promise<Target | undefined>;

/** The measurements of one relay, with a process for each upstream. */
const observe = async (stage: Stage, start: Start, waves: number): Promise<[string, Course] | undefined> => {
  const prompt = await start(stage.settings);
  if (!prompt) return undefined;
  const course: Course = {
    idleMb: 0,
    waves: [await sendWave(stage, prompt, "answered at once")],
    afterMb: 0,
  };
  await prompt.stop();

  const upstream = await startServerProgram("holding-upstream", LOAD_CORE, { HOLD: String(CLIENTS) });
  const target = await start({ ...stage.settings, upstreamUrl: `http://127.0.0.1:${upstream.port}` });
  if (!target) return undefined;
  const holding: Stage = { ...stage, pids: [...stage.pids, upstream.pid] };
  await wait(SETTLE_MS / 5);
  course.idleMb = residentMb(target.pids);
  for (let i = 1; i <= waves; i += 1) {
    const wave = await sendWave(holding, target, `held together, wave ${i}`);
    course.waves.push({ ...wave, held: Number(await upstream.nextLine()) });
  }
  await wait(SETTLE_MS);
  await measure(holding, target, AFTERWARDS);
  course.afterMb = residentMb(target.pids);
  await target.stop();
  await kill(upstream.child);
  return [target.name, course];
};

const mostOpenFiles = (): number =>
  Number(/^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1] ?? 0);

const formatCourses = (courses: readonly [string, Course][]): void => {
  printTable(
    ["relay", "", "held", "failed", "p50 ms", "p99 ms", "CPU ms each", "most MB"],
    courses.flatMap(([name, { idleMb, waves, afterMb }]) => [
      [name, "idle", "", "", "", "", "", idleMb.toFixed(0)],
      ...waves.map(({ title, sample, peakMb, held }) => [
        "",
        title,
        held === undefined ? "" : String(held),
        String(sample.failed),
        sample.p50Ms.toFixed(0),
        sample.p99Ms.toFixed(0),
        (sample.cpuUs / 1000).toFixed(2),
        peakMb.toFixed(0),
      ]),
      ["", `${SETTLE_MS / 1000} s and some small requests later`, "", "", "", "", "", afterMb.toFixed(0)],
    ]),
  );
  for (const [name, { waves }] of courses)
    for (const { title, sample } of waves)
      if (sample.failure !== undefined) print(`  ${name}, ${title}: ${sample.failure}`);
};

const judge = ({ idleMb, waves }: Course): Verdict[] => {
  const heldWaves = waves.filter(({ held }) => held !== undefined);
  const mostMb = Math.max(...heldWaves.map(({ peakMb }) => peakMb));
  return [
    {
      what: `Memory while ${CLIENTS} bodies of ${BODY_BYTES / 1000} KB are held together, above idle and in their own size`,
      measured: (mostMb - idleMb) / BODIES_MB,
      budget: budgets.largeBodies.memoryPerBodyByte,
      unit: " ×",
    },
    {
      what: "The same in the last wave beside the first",
      measured: (heldWaves.at(-1)?.peakMb ?? Number.NaN) / (heldWaves[0]?.peakMb ?? Number.NaN),
      budget: budgets.largeBodies.lastWaveRatio,
      unit: " ×",
    },
    {
      what: `Requests with bodies of ${BODY_BYTES / 1000} KB that failed or were not held together`,
      measured: waves.reduce((sum, { sample, held = CLIENTS }) => sum + sample.failed + CLIENTS - held, 0),
      budget: 0,
      unit: "",
    },
  ];
};

export const largeBodies: Part = async ({ isQuick }) => {
  if (mostOpenFiles() < 3 * CLIENTS) {
    print(`  LEFT OUT: it needs ${3 * CLIENTS} open files in one process (ulimit -n).`);
    return [];
  }
  print(`  ${CLIENTS} clients at once, ${BODY_BYTES / 1000} KB each: ${BODIES_MB} MB of bodies.`);
  const stage = await startStage(true);
  const courses: [string, Course][] = [];
  for (const start of [startNginx, startBareRelay, startTollgate, startPortkey]) {
    const course = await observe(stage, start, isQuick ? 1 : HELD_WAVES);
    if (course) courses.push(course);
  }
  await stage.stop();
  formatCourses(courses);
  const ours = courses.find(([name]) => name === "Tollgate")?.[1];
  return ours ? judge(ours) : [];
};
