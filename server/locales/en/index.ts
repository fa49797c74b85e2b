import { en as schemaTexts } from "zod/locales";
import type { Catalogue } from "../catalogue";
import log from "./log.json";
import messages from "./messages.json";
import notices from "./notices.json";
import refusals from "./refusals.json";
import requestFaults from "./request-faults.json";
import statement from "./statement.json";
import upstreamFaults from "./upstream-faults.json";
import words from "./words.json";

export const en: Catalogue = {
  tags: ["en"],
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
