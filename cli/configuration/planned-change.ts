import { say } from "@tollgate/server/locales/languages";
import { Failure } from "@tollgate/server/management-api/failure";
import type { OperatorApi, OperatorCall } from "../operator/operator-api";
import type { SecretSource } from "./configuration";
import type { ConfigurationFile } from "./read-file";
import type { CurrentState } from "./read-gateway";

/** What becomes of one field; a secret's values are not in it. */
export interface FieldChange {
  field: string;
  before?: unknown;
  after?: unknown;
}

/** What would be done to one option or channel. */
export interface PlannedChange {
  sign: "+" | "~" | "-";
  what: "option" | "channel" | "user" | "plan";
  name: string;
  fields: FieldChange[];
  call?: OperatorCall;
  /** What is to be done after it, where that depends on what it has made. */
  after?(api: OperatorApi): Promise<void>;
}

/** What of a channel is not shown, in clear. */
export interface ChannelSecrets {
  key: string;
  proxy: string;
  /** Values of its overrides' headers, by their names. */
  headers: Readonly<Record<string, string>>;
}

/** Both sides with their secrets in clear. */
export interface Sides {
  file: ConfigurationFile;
  current: CurrentState;
  /** Of each channel now, by its id. */
  channelSecrets: ReadonlyMap<number, ChannelSecrets>;
  optionSecrets: ReadonlyMap<string, string>;
  /** What a secret of the file is. @param use that the file makes of it. @throws FileFault */
  reveal(source: SecretSource, path: readonly (string | number)[], use: string): string;
  /** Also takes away what the file does not name. */
  prune: boolean;
}

/** What stands for a secret in what is shown. */
export const CHANGED = { before: "(secret)", after: "(changed)" };

/** A refusal of the server's own checks as a sentence. @throws what is none. */
export const explain = (error: unknown): string => {
  if (!(error instanceof Failure)) throw error;
  return say("en", error.key, error.params);
};
