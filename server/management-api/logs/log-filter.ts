import type { LogFilter } from "@tollgate/contract/management/log";
import { readInteger } from "../route";
import { USAGE_PARAMETERS } from "./usage-query";

/** What `readOwnFilter` reads, for the API's description. */
export const LOG_PARAMETERS = {
  type: "Only lines of this type.",
  start_timestamp: "Unix seconds, inclusive.",
  end_timestamp: "Unix seconds, inclusive.",
  token_name: USAGE_PARAMETERS.token_name,
  model_name: USAGE_PARAMETERS.model_name,
};
/** What `readAdminFilter` reads besides. */
export const EVERYBODYS_LOG = {
  username: "Only of this user.",
  channel: "Only of the channel with this id.",
};

const given = (text: string | undefined): string | undefined =>
  text === undefined || text === "" ? undefined : text;

/** 0 means no filter (contract section 1.9). */
const givenNumber = (text: string | undefined): number | undefined => {
  const value = readInteger(text);
  return value === 0 ? undefined : value;
};

const readFilter = (query: Record<string, string>): LogFilter => ({
  type: givenNumber(query.type),
  tokenName: given(query.token_name),
  modelName: given(query.model_name),
  startTimestamp: givenNumber(query.start_timestamp),
  endTimestamp: givenNumber(query.end_timestamp),
});

/** What an administrator may narrow the log by. */
export const readAdminFilter = (query: Record<string, string>): LogFilter => ({
  ...readFilter(query),
  username: given(query.username),
  channelId: givenNumber(query.channel),
});

/** What users may narrow their own log by. */
export const readOwnFilter = (query: Record<string, string>, userId: number): LogFilter => ({
  ...readFilter(query),
  userId,
});

/** For a total of one's own, which the contract also narrows by channel (section 1.9). */
export const readOwnTotalFilter = (query: Record<string, string>, userId: number): LogFilter => ({
  ...readOwnFilter(query, userId),
  channelId: givenNumber(query.channel),
});
