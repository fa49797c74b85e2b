import { readBodyPath } from "@tollgate/contract/management/channel-override-body";
import { HEADER_PLACEHOLDER } from "@tollgate/contract/management/channel-override-headers";
import type { ChannelOverrides, SystemPrompt } from "@tollgate/contract/management/channel-overrides";
import { isRecord } from "@tollgate/protocols/shared/json/json-values";

/** One change of a body. */
export interface BodyStep {
  /** Its name on the receipt: the path as written. */
  name: string;
  path: readonly string[];
  /** The new value; undefined removes it. */
  value: unknown;
  /** An object that is there stays: one without names was laid over it. */
  keepsObject?: true;
}

/** A header whose value contains values of client headers. */
export interface ClientTemplate {
  name: string;
  /** Plain text, and names of the client's headers, in turn. */
  pieces: readonly { text: string; header?: string }[];
}

/** A channel's overrides, with everything precomputed that is the same for each request. */
export interface PreparedOverrides {
  /** In order of execution; undefined without changes. */
  body: readonly BodyStep[] | undefined;
  /** Whether they set fields of the prompt cache, which may cost more. */
  writesCache: boolean;
  /** The least that the body's new values may add to a prompt, in bytes of JSON. */
  bodyBytes: number;
  /** Headers with fixed values, names in lower case; undefined without any. */
  headers: Readonly<Record<string, string>> | undefined;
  clientHeaders: readonly ClientTemplate[] | undefined;
  systemPrompt: SystemPrompt | undefined;
  /** An upstream's status → the one that it is treated as. */
  statusCodes: ReadonlyMap<number, number> | undefined;
  passesBody: boolean;
  cacheMarks: boolean;
  /** Names of the changes made to every request. */
  always: readonly string[];
  /** Values that are never shown. */
  secrets: readonly string[];
}

/** Schemes in front of credentials, which are not secret. */
const SCHEMES = /^(?:bearer|basic|token|apikey|digest)$/i;

/** A merge as changes of single places: objects that are there keep their other names. */
const stepsOf = (merged: Readonly<Record<string, unknown>>, before: readonly string[]): BodyStep[] =>
  Object.entries(merged).flatMap(([name, value]) => {
    const path = [...before, name];
    const step = { name: path.join("."), path, value };
    if (!isRecord(value)) return [step];
    return Object.keys(value).length > 0 ? stepsOf(value, path) : [{ ...step, keepsObject: true }];
  });

const prepareBody = (body: NonNullable<ChannelOverrides["body"]>): BodyStep[] => {
  const step = (name: string, value: unknown): BodyStep => ({ name, path: readBodyPath(name) ?? [], value });
  return [
    ...stepsOf(body.merge ?? {}, []),
    ...Object.entries(body.set ?? {}).map(([name, value]) => step(name, value)),
    ...(body.delete ?? []).map((name) => step(name, undefined)),
  ].filter(({ path }) => path.length > 0);
};

/** A template as its pieces. @param key the channel's, in clear. */
const piecesOf = (value: string, key: string): { text: string; header?: string }[] => {
  const pieces: { text: string; header?: string }[] = [];
  let text = "";
  let from = 0;
  for (const found of value.matchAll(HEADER_PLACEHOLDER)) {
    text += value.slice(from, found.index);
    from = found.index + found[0].length;
    const inner = found[1] ?? "";
    if (inner === "api_key") text += key;
    else {
      pieces.push({ text, header: inner.slice(inner.indexOf(":") + 1) });
      text = "";
    }
  }
  return [...pieces, { text: text + value.slice(from) }];
};

/**
 * Prepares a channel's overrides for one of its keys.
 * @param key in clear; a key of several lines cannot be part of a header, and is left out.
 */
export const prepareOverrides = (overrides: ChannelOverrides, key: string): PreparedOverrides => {
  const { body, headers = {}, systemPrompt, statusCodes, passBody, cacheMarks } = overrides;
  const sendableKey = /^[\x20-\x7e]*$/.test(key) ? key : "";
  const fixed: [string, string][] = [];
  const ofClient: ClientTemplate[] = [];
  for (const [name, value] of Object.entries(headers)) {
    const pieces = piecesOf(value, sendableKey);
    const [only] = pieces;
    if (pieces.length === 1 && only) fixed.push([name, only.text]);
    else ofClient.push({ name, pieces });
  }
  const written = JSON.stringify(body ?? {});
  return {
    body: body && prepareBody(body),
    writesCache: written.includes("cache_control"),
    bodyBytes: Buffer.byteLength(written),
    headers: fixed.length === 0 ? undefined : Object.fromEntries(fixed),
    clientHeaders: ofClient.length === 0 ? undefined : ofClient,
    systemPrompt,
    statusCodes: statusCodes && new Map(Object.entries(statusCodes).map(([from, to]) => [Number(from), to])),
    passesBody: passBody === true,
    cacheMarks: cacheMarks === true,
    always: [...fixed.map(([name]) => `header:${name}`), ...(passBody ? ["pass-body"] : [])],
    secrets: Object.values(headers).flatMap((value) =>
      value
        .replaceAll(HEADER_PLACEHOLDER, " ")
        .split(/\s+/)
        .filter((word) => word !== "" && !SCHEMES.test(word)),
    ),
  };
};
