import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Field } from "../../components/field";
import { Select } from "../../components/select";

/** Choices that are words; all others are names, which every language writes alike. */
const WORDS = ["off", "signed-in", "public", "received", "drain", "ignore", "refuse"] as const;

interface ChoiceFieldProps {
  label: string;
  /** The form field that carries the choice. */
  name: string;
  initial: string;
  choices: readonly string[];
  hint: string | undefined;
  error: string | undefined;
}

/** One of a few values that a setting may have. */
export const ChoiceField = ({ label, name, initial, choices, hint, error }: ChoiceFieldProps) => {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState(initial);
  const textOf = (choice: string): string => {
    const word = WORDS.find((each) => each === choice);
    return word ? t(`optionChoice.${word}`) : choice;
  };
  // What another server has stored stays what it is until another one is chosen.
  const offered = choices.includes(initial) ? choices : [initial, ...choices];
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <>
          <input type="hidden" name={name} value={chosen} />
          <Select
            control={control}
            value={chosen}
            groups={[{ options: offered.map((choice) => ({ value: choice, label: textOf(choice) })) }]}
            onChange={setChosen}
          />
        </>
      )}
    </Field>
  );
};
