import { OverridesInvalid } from "@tollgate/contract/management/channel-override-checks";
import { HIDDEN_VALUE } from "@tollgate/contract/management/channel-override-headers";
import {
  type ChannelOverrides,
  hideHeaders,
  parseOverrides,
  readOverrides,
  revealHeaders,
  writeOverrides,
} from "@tollgate/contract/management/channel-overrides";
import { isRecord } from "@tollgate/protocols/shared/json/json-values";
import type { FileOverrides, SecretSource } from "./configuration";

/** Parses the overrides that the gateway shows; undefined for none. */
const shownOf = (text: string | undefined): ChannelOverrides | undefined => {
  try {
    return parseOverrides(text ?? "");
  } catch {
    return undefined;
  }
};

/** @param shown as the gateway answers it. @param sealed values of headers that are not shown; undefined for none. */
export const writeFileOverrides = (
  shown: string | undefined,
  sealed: Readonly<Record<string, string>> | undefined,
): FileOverrides | undefined => {
  const overrides = shownOf(shown);
  if (!overrides) return undefined;
  const headers = Object.entries(overrides.headers ?? {}).map(([name, value]) => {
    const known = sealed && Object.hasOwn(sealed, name) ? sealed[name] : undefined;
    return [name, value === HIDDEN_VALUE && known ? { sealed: known } : value];
  });
  return {
    ...writeOverrides(overrides),
    ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}),
  };
};

/** The values of a file's headers that are no plain texts, by their names. */
export const headerSources = (overrides: FileOverrides | undefined): [string, SecretSource][] =>
  isRecord(overrides?.headers)
    ? Object.entries(overrides.headers).filter((entry): entry is [string, SecretSource] => isRecord(entry[1]))
    : [];

/**
 * Reads a file's overrides, values of headers in clear except those that stay as they are stored.
 * @param reveal returns a header's value. @throws OverridesInvalid
 */
export const readFileOverrides = (
  overrides: FileOverrides | undefined,
  reveal: (source: SecretSource, name: string) => string,
): ChannelOverrides | undefined => {
  if (!overrides) return undefined;
  const revealed = headerSources(overrides).map(([name, source]) => [name, reveal(source, name)]);
  const plain = isRecord(overrides.headers) ? overrides.headers : undefined;
  return readOverrides(
    plain ? { ...overrides, headers: { ...plain, ...Object.fromEntries(revealed) } } : overrides,
  );
};

/** Returns the gateway's overrides, in clear. @param headers values of the hidden ones. */
export const currentOverrides = (
  shown: string | undefined,
  headers: Readonly<Record<string, string>>,
): ChannelOverrides | undefined => {
  const overrides = shownOf(shown);
  return overrides && (revealHeaders(overrides, { headers }) ?? overrides);
};

/** Both sides as they may be shown, where they differ. */
export const overridesChange = (
  before: ChannelOverrides | undefined,
  wanted: ChannelOverrides | undefined,
): { before: unknown; after: unknown } | undefined => {
  const after = wanted && (revealHeaders(wanted, before) ?? wanted);
  const textOf = (overrides: ChannelOverrides | undefined) =>
    JSON.stringify(overrides ? writeOverrides(overrides) : {});
  if (textOf(before) === textOf(after)) return undefined;
  const shown = (overrides: ChannelOverrides | undefined) =>
    overrides ? writeOverrides(hideHeaders(overrides)) : {};
  return { before: shown(before), after: shown(after) };
};

/** Formats the fault of a file's overrides as a sentence. @throws other errors. */
export const formatOverridesFault = (error: unknown): string => {
  if (!(error instanceof OverridesInvalid)) throw error;
  return `the overrides cannot be used: ${error.code}${error.at === "" ? "" : ` (${error.at})`}`;
};
