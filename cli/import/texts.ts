import en from "../locales/en/import.json";
import zh from "../locales/zh-CN/import.json";
import type { Language } from "./language";

export type ImportTexts = typeof en;

/** What an import says: of what it does, of rows (after the name of the table and before their ids), and why it does nothing. */
export const IMPORT_TEXTS: Readonly<Record<Language, ImportTexts>> = { en, zh };
