/** An option of one method besides its switch, on a card of the method's own; "" until a person saves it. */
export interface OwnOption {
  type: "text" | "url" | "secret";
  /** The field of GET /api/status that tells it to all callers. */
  status?: string;
  /** Where an access token is not enough: the person who decides it can sign in as any user. Otherwise root alone. */
  changedBy?: "root-session";
  isPicture?: true;
  hasHint?: true;
  hasPlaceholder?: true;
}

type OwnOptions = Readonly<Record<string, OwnOption>>;

/** Public values of options in GET /api/status, by its fields. */
export type TextsOf<Options> = {
  [Key in keyof Options as Options[Key] extends { status: infer Field extends string }
    ? Field
    : never]: string;
};

/** Where a method asks people for their consent. */
export interface ConsentPage {
  address: string;
  query: Readonly<Record<string, string>>;
}

/** How people come in. */
type SignInEntry<Texts> =
  | {
      /** Over a page of the method, which sends them back to /oauth/<name> of the console with a code. */
      kind: "redirect";
      /**
       * Returns that page; the state is added to its query.
       * @param told the values of GET /api/status. @param back the address to return to, for methods that need it.
       */
      consent(told: Texts, back: string): ConsentPage;
    }
  | {
      /** With a code that they are told elsewhere and type into a window. */
      kind: "typed-code";
      /** The field of GET /api/status with the picture that leads to the code. */
      picture: keyof Texts & string;
    };

/** A way to sign in with an account elsewhere: all that the browser may know of it. */
export interface SignInMethodOf<
  Name extends string,
  Switch extends string,
  SwitchField extends string,
  Options extends OwnOptions,
  UserField extends string,
> {
  /** Small letters and digits: part of its addresses, and prefix of new users' usernames. */
  name: Name;
  /** Title; languages with another name have their own sentences. */
  title: string;
  /** Field of the bound account in a user on the wire. */
  userField: UserField;
  /** One-api's contract does not have it. */
  isExtra?: true;
  switch: {
    /** The option that switches it on. */
    option: Switch;
    /** Options that must be filled before. */
    needs: readonly (keyof Options & string)[];
    /** The field of GET /api/status that says so. */
    status: SwitchField;
  };
  /** Its other options, by their names on the wire. */
  options: Options;
  entry: SignInEntry<TextsOf<Options>>;
}

export const defineSignInMethod = <
  const Name extends string,
  const Switch extends string,
  const SwitchField extends string,
  const Options extends OwnOptions,
  const UserField extends string,
>(
  method: SignInMethodOf<Name, Switch, SwitchField, Options, UserField>,
): SignInMethodOf<Name, Switch, SwitchField, Options, UserField> => method;
