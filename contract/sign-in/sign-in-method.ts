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

/** What GET /api/status says of options, by its fields. */
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
       * That page; the state is added to its query.
       * @param told what GET /api/status says. @param back where people are to be sent back to, for methods that ask for it.
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
  /** Small letters and digits: part of its addresses, and what newcomers' usernames begin with. */
  name: Name;
  /** What it is called; languages that call it otherwise have sentences of their own for it. */
  title: string;
  /** What the account that is bound to a user is called where a user travels. */
  userField: UserField;
  /** One-api's contract does not have it. */
  isExtra?: true;
  switch: {
    /** The option that switches it on. */
    option: Switch;
    /** What must be filled before. */
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
