import { useTranslation } from "react-i18next";
import { Field } from "../../components/field";
import { Select } from "../../components/select";

/** Choices with a translation; all others are names, which are the same in every language. */
const WORDS = [
  "off",
  "signed-in",
  "public",
  "received",
  "drain",
  "ignore",
  "refuse",
  "all",
  "companies",
] as const;

interface ChoiceFieldProps {
  label: string;
  value: string;
  /** A value stored by another server stays until another one is chosen. */
  stored: string;
  choices: readonly string[];
  hint: string | undefined;
  error: string | undefined;
  onChange: (choice: string) => void;
}

/** Labels of choices. */
export const useChoiceText = () => {
  const { t } = useTranslation();
  return (choice: string): string => {
    const word = WORDS.find((each) => each === choice);
    return word ? t(`optionChoice.${word}`) : choice;
  };
};

/** A setting with a fixed set of values. */
export const ChoiceField = ({ label, value, stored, choices, hint, error, onChange }: ChoiceFieldProps) => {
  const textOf = useChoiceText();
  const offered = choices.includes(stored) ? choices : [stored, ...choices];
  return (
    <Field layout="row" label={label} hint={hint} error={error}>
      {(control) => (
        <Select
          control={control}
          value={value}
          className="lg:max-w-60"
          groups={[{ options: offered.map((choice) => ({ value: choice, label: textOf(choice) })) }]}
          onChange={onChange}
        />
      )}
    </Field>
  );
};
