import {
  MAX_ALIAS_LENGTH,
  MAX_ALIASES,
  parseModelAliases,
} from "@tollgate/contract/management/model-aliases";
import { cutText } from "../../locales/format-request-fault";
import { Failure } from "../failure";

/** Checks the JSON text of aliases before it is stored. @throws Failure */
export const checkAliases = (text: string): void => {
  const parsed = parseModelAliases(text);
  if (!parsed || !("fault" in parsed)) return;
  const { fault } = parsed;
  switch (fault.code) {
    case "not-aliases":
      throw new Failure("aliases-not-json");
    case "too-many":
      throw new Failure("aliases-too-many", { limit: MAX_ALIASES });
    case "name-invalid":
      throw new Failure("alias-name-invalid", { name: cutText(fault.name), limit: MAX_ALIAS_LENGTH });
    case "model-invalid":
      throw new Failure("alias-model-invalid", { name: cutText(fault.name), limit: MAX_ALIAS_LENGTH });
    case "chain":
      throw new Failure("alias-chain", { name: fault.name, model: fault.model });
  }
};
