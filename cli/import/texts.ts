import en from "../locales/en/import.json";
import zh from "../locales/zh-CN/import.json";
import type { Language } from "./language";

export type ImportTexts = typeof en;

/** Texts of an import: its steps, its remarks (after the name of the table and before the ids), and its refusals. */
export const IMPORT_TEXTS: Readonly<Record<Language, ImportTexts>> = { en, zh };
