import { isBuiltInSet } from "@tollgate/contract/management/permission-set";
import type { TFunction } from "i18next";

/** The name of a set of permissions; sets of each installation are named in the reader's language. */
export const setName = (t: TFunction, { id, name }: { id: string; name: string }): string =>
  isBuiltInSet(id) ? t(`permission.builtIn.${id}`) : name;
