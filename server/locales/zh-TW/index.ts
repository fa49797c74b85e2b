import { zhTW as schemaTexts } from "zod/locales";
import type { Catalogue } from "../catalogue";
import log from "./log.json";
import messages from "./messages.json";
import notices from "./notices.json";
import refusals from "./refusals.json";
import requestFaults from "./request-faults.json";
import statement from "./statement.json";
import upstreamFaults from "./upstream-faults.json";
import words from "./words.json";

/** Traditional Chinese, in the technical terms of Taiwan; also for Hong Kong and Macau. */
export const zhTW: Catalogue = {
  tags: ["zh-TW", "zh-Hant", "zh-HK", "zh-MO"],
  messages,
  notices,
  refusals,
  requestFaults,
  upstreamFaults,
  log,
  ...statement,
  ...words,
  schemaIssue: schemaTexts().localeError,
};
