import { useId } from "react";
import { Field } from "../../components/field";

interface ModelFieldProps {
  label: string;
  value: string;
  models: readonly string[];
  onChange: (model: string) => void;
}

/** The name of a model, with those that the user may use; a gateway may serve further names. */
export const ModelField = ({ label, value, models, onChange }: ModelFieldProps) => {
  const list = useId();
  return (
    <Field label={label} layout="inline" className="flex-1">
      {(control) => (
        <>
          <input
            {...control}
            className="control"
            list={list}
            value={value}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => onChange(target.value)}
          />
          <datalist id={list}>
            {models.map((model) => (
              <option key={model} value={model} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
};
