import { formatError } from "@tollgate/server/locales/format-data-fault";
import { SourceRefused } from "@tollgate/storage/sources/source-fault";
import { ImportRefused } from "./import-refused";
import { fillIn, type Language } from "./language";
import { IMPORT_TEXTS } from "./texts";

/** Says why nothing was imported. Addresses with passwords are in none of these. */
export const formatRefusal = (error: unknown, language: Language): string => {
  const { refusals, sources } = IMPORT_TEXTS[language];
  if (error instanceof ImportRefused) return fillIn(refusals[error.code], error.values);
  if (error instanceof SourceRefused) {
    const { code, ...values } = error.fault;
    return fillIn(sources[code], values);
  }
  return formatError(error);
};
