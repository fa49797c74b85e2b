import { isRecord } from "@tollgate/protocols/shared/json/json-values";
import type { BodyStep } from "../routing/prepare-overrides";

type Body = Record<string, unknown>;

/** The index of an existing list element named by a step. */
const indexOf = (list: readonly unknown[], step: string): number => {
  const index = /^\d{1,9}$/.test(step) ? Number(step) : -1;
  return index < list.length ? index : -1;
};

/** Returns a value with the value at one path replaced; copies only its containers. */
const withValue = (inside: unknown, path: readonly string[], at: number, value: unknown): unknown => {
  const step = path[at];
  if (step === undefined) return value;
  if (Array.isArray(inside)) {
    const index = indexOf(inside, step);
    if (index < 0) return inside;
    const list: unknown[] = [...inside];
    if (value === undefined && at === path.length - 1) list.splice(index, 1);
    else list[index] = withValue(inside[index], path, at + 1, value);
    return list;
  }
  const known = isRecord(inside) && Object.hasOwn(inside, step);
  if (value === undefined) {
    if (!known) return inside;
    const { [step]: inner, ...others } = inside;
    if (at === path.length - 1) return others;
    const changed = withValue(inner, path, at + 1, value);
    return changed === inner ? inside : { ...inside, [step]: changed };
  }
  const changed = withValue(known ? inside[step] : undefined, path, at + 1, value);
  return isRecord(inside) ? { ...inside, [step]: changed } : { [step]: changed };
};

/** The value at a path. */
const valueAt = (inside: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((found, step) => {
    if (Array.isArray(found)) return found[indexOf(found, step)];
    return isRecord(found) && Object.hasOwn(found, step) ? found[step] : undefined;
  }, inside);

/** A body after its changes. */
export interface ChangedBody {
  /** The same object when nothing changed. */
  body: Body;
  /** Names of the changes made. */
  applied: string[];
}

/** Changes a body according to a channel's overrides. Does not modify the given body. */
export const changeBody = (body: Readonly<Body>, steps: readonly BodyStep[]): ChangedBody => {
  const applied: string[] = [];
  let changed: unknown = body;
  for (const { name, path, value, keepsObject } of steps) {
    if (keepsObject && isRecord(valueAt(changed, path))) continue;
    const next = withValue(changed, path, 0, value);
    if (next === changed) continue;
    changed = next;
    applied.push(`body:${name}`);
  }
  return isRecord(changed) ? { body: changed, applied } : { body, applied: [] };
};
