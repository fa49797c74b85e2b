import { SIGN_IN_METHODS, type SignInMethod, type SignInMethodName } from "../sign-in/methods";
import type { OwnOption } from "../sign-in/sign-in-method";

/*
 * The part of the catalogue that the sign-in methods declare (contract/sign-in/): their switches, and cards with their
 * other options. TypeScript does not follow the names of a list; the types describe the lines beside them.
 */

type Switches = {
  [Method in SignInMethod as Method["switch"]["option"]]: {
    section: "login";
    type: "switch";
    default: false;
    needs: Method["switch"]["needs"];
    changedBy: "root";
    status: Method["switch"]["status"];
  };
};

type Whole<Name, Option extends OwnOption> = Omit<Option, "changedBy"> & {
  section: Name;
  default: "";
  changedBy: "root" | "root-session";
};

type CardsOf<Method> = Method extends {
  name: infer Name;
  options: infer Options extends Record<string, OwnOption>;
}
  ? { [Key in keyof Options]: Whole<Name, Options[Key]> }
  : never;

type Merged<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** The options of all methods, by their names on the wire. */
export const SIGN_IN_OPTIONS = Object.assign(
  {},
  ...SIGN_IN_METHODS.map((method) => {
    const { name, switch: main, options } = method;
    const extra = method.isExtra ? { isExtra: true } : {};
    const { option, needs, status } = main;
    return {
      [option]: {
        section: "login",
        type: "switch",
        default: false,
        needs,
        changedBy: "root",
        status,
        ...extra,
      },
      ...Object.fromEntries(
        Object.entries<OwnOption>(options).map(([key, own]) => [
          key,
          { section: name, default: "", changedBy: "root", ...own, ...extra },
        ]),
      ),
    };
  }),
) as Switches & Merged<CardsOf<SignInMethod>>;

/** The cards of the settings page on which they stand. */
export const SIGN_IN_SECTIONS = Object.fromEntries(
  SIGN_IN_METHODS.map(({ name }) => [name, "system"]),
) as Record<SignInMethodName, "system">;
