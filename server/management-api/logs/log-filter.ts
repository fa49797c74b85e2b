import { LOG_OUTCOMES, type LogFilter } from "@tollgate/contract/api/logs";
import { readMaybeChoice } from "../read-choice";
import { readInteger } from "../route";

type Query = Readonly<Partial<Record<string, string>>>;

const given = (text: string | undefined): string | undefined =>
  text === undefined || text === "" ? undefined : text;

/** 0 means no filter (contract section 1.9). */
const givenNumber = (text: string | undefined): number | undefined => {
  const value = readInteger(text);
  return value === 0 ? undefined : value;
};

const readFilter = (query: Query): LogFilter => ({
  type: givenNumber(query.type),
  outcome: readMaybeChoice(LOG_OUTCOMES, query.outcome),
  tokenName: given(query.token_name),
  modelName: given(query.model_name),
  startTimestamp: givenNumber(query.start_timestamp),
  endTimestamp: givenNumber(query.end_timestamp),
  requestId: given(query.request_id),
});

/** The log filter of administrators. */
export const readAdminFilter = (query: Query): LogFilter => ({
  ...readFilter(query),
  username: given(query.username),
  channelId: givenNumber(query.channel),
});

/** The log filter of users, for their own lines. */
export const readOwnFilter = (query: Query, userId: number): LogFilter => ({
  ...readFilter(query),
  userId,
});

/** For a total of one's own, which the contract also narrows by channel (section 1.9). */
export const readOwnTotalFilter = (query: Query, userId: number): LogFilter => ({
  ...readOwnFilter(query, userId),
  channelId: givenNumber(query.channel),
});
