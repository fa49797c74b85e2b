import { formatMessage } from "@tollgate/server/locales/languages";
import { Failure } from "@tollgate/server/management-api/failure";
import type { OperatorApi, OperatorCall } from "../operator/operator-api";
import type { SecretSource } from "./configuration";
import type { ConfigurationFile } from "./read-file";
import type { CurrentState } from "./read-gateway";

/** Change of one field; never contains a secret's values. */
export interface FieldChange {
  field: string;
  before?: unknown;
  after?: unknown;
}

/** Planned change of one option or channel. */
export interface PlannedChange {
  sign: "+" | "~" | "-";
  what: "option" | "channel" | "user" | "plan";
  name: string;
  fields: FieldChange[];
  call?: OperatorCall;
  /** Further step, where it depends on the result of the first. */
  after?(api: OperatorApi): Promise<void>;
}

/** Hidden fields of a channel, in clear. */
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
  /** Returns the value of a secret of the file. @param use of it in the file. @throws FileFault */
  reveal(source: SecretSource, path: readonly (string | number)[], use: string): string;
  /** Also removes objects that the file does not name. */
  prune: boolean;
}

/** Shown in place of a secret. */
export const CHANGED = { before: "(secret)", after: "(changed)" };

/** Formats a refusal of the server's own checks as a sentence. @throws other errors. */
export const explain = (error: unknown): string => {
  if (!(error instanceof Failure)) throw error;
  return formatMessage("en", error.key, error.params);
};
