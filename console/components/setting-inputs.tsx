import { SelectField } from "./select-field";
import { SwitchField } from "./switch-field";
import { TextAreaField, TextField } from "./text-field";

interface Declared {
  readonly kind: "text" | "lines" | "json" | "list" | "flag" | "choice";
  readonly maxLength: number | undefined;
  readonly options: readonly string[];
}

type Declarations = Readonly<Record<string, Declared>>;

/** Texts of one setting; `options` names each value of a choice, and "none" for an unset one. */
interface SettingText {
  label: string;
  hint?: string;
  placeholder?: string;
  options?: Readonly<Record<string, string>>;
}

/** Texts of settings: a declared setting without texts fails to compile. */
export type SettingTexts<S> = { readonly [Inner in keyof S]: SettingText };

interface SettingInputsProps<S extends Declarations> {
  settings: S;
  texts: SettingTexts<NoInfer<S>>;
  values: { readonly [Inner in keyof S]: string | boolean };
  errorOf(name: keyof S & string): string | undefined;
  onChange(name: keyof S & string, value: string | boolean): void;
}

/** One input for each declared setting. */
export const SettingInputs = <S extends Declarations>({
  settings,
  texts,
  values,
  errorOf,
  onChange,
}: SettingInputsProps<S>) => {
  const names: (keyof S & string)[] = Object.keys(settings);
  return names.map((name) => {
    const { kind, maxLength, options = [] } = settings[name] ?? {};
    const { label, hint, placeholder, options: choices = {} } = texts[name];
    const value = values[name];
    if (kind === "flag")
      return (
        <SwitchField
          key={name}
          label={label}
          hint={hint}
          isOn={value === true}
          onChange={(isOn) => onChange(name, isOn)}
        />
      );
    if (kind === "choice")
      return (
        <SelectField
          key={name}
          label={label}
          hint={hint}
          value={String(value)}
          onChange={(choice) => onChange(name, choice)}
          options={["", ...options].map((option) => ({
            value: option,
            label: choices[option || "none"] ?? option,
          }))}
        />
      );
    const input = {
      label,
      hint,
      placeholder,
      maxLength,
      error: errorOf(name),
      value: String(value),
      autoComplete: "off",
    };
    if (kind === "text")
      return <TextField key={name} {...input} onChange={({ target }) => onChange(name, target.value)} />;
    return (
      <TextAreaField
        key={name}
        {...input}
        autoCapitalize="none"
        spellCheck={false}
        className="max-h-60 font-mono text-sm"
        onChange={({ target }) => onChange(name, target.value)}
      />
    );
  });
};
