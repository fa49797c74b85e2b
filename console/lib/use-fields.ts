import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import {
  type DefaultValues,
  type FieldErrors,
  type FieldPathByValue,
  type FieldValues,
  type Path,
  type PathValue,
  useForm,
} from "react-hook-form";
import { useTranslation } from "react-i18next";
import { useBackToList } from "./list-address";
import { notify } from "./notify";

interface FieldsOptions<Fields extends FieldValues> {
  initial: Fields;
  /** Names mistakes by locale keys, so that a change of language also changes what is already shown. */
  schema: Parameters<typeof standardSchemaResolver<Fields, unknown, Fields>>[0];
}

/** The fields of a form by their names: each binding is spread into the component that draws the field. */
export const useFields = <Fields extends FieldValues>({ initial, schema }: FieldsOptions<Fields>) => {
  const { t } = useTranslation();
  const form = useForm<Fields, unknown, Fields>({
    defaultValues: initial as DefaultValues<Fields>,
    resolver: standardSchemaResolver(schema),
  });
  const { errors, isDirty, isSubmitted, defaultValues } = form.formState;
  /** The mistake of a field in the page's language. @param values fill the placeholders of its text */
  const errorOf = (name: Path<Fields>, values: Record<string, string | number> = {}): string | undefined => {
    const message = errors[name]?.message;
    // The keys come out of schemas as plain text; an unknown one is shown as it is.
    return typeof message === "string"
      ? (t as (key: string, values: Record<string, string | number>) => string)(message, values)
      : undefined;
  };
  const set = <Name extends Path<Fields>>(name: Name, value: PathValue<Fields, Name>): void =>
    form.setValue(name, value, { shouldDirty: true, shouldValidate: isSubmitted });
  return {
    ...form,
    errors,
    isChanged: isDirty,
    /** What the form began with: the record may have been read again since. */
    before: (defaultValues ?? initial) as Fields,
    errorOf,
    set,
    /** A line or an area of text. */
    text: (name: Path<Fields>, values?: Record<string, string | number>) => ({
      error: errorOf(name, values),
      ...form.register(name),
    }),
    /** A field that hands over its value. */
    value: <Name extends Path<Fields>>(name: Name, values?: Record<string, string | number>) => ({
      value: form.watch(name),
      error: errorOf(name, values),
      onChange: (next: PathValue<Fields, Name>) => set(name, next),
    }),
    flag: (name: FieldPathByValue<Fields, boolean>) => ({
      isOn: form.watch(name) as boolean,
      onChange: (isOn: boolean) => set(name, isOn as PathValue<Fields, typeof name>),
    }),
    /** An amount, for a QuotaInput. */
    quota: (name: FieldPathByValue<Fields, string>) => ({
      control: form.control,
      name,
      error: errorOf(name),
    }),
  };
};

/** The bindings of a form's fields. */
export type FieldsForm<Fields extends FieldValues> = ReturnType<typeof useFields<Fields>>;

interface RecordFormOptions<Fields extends FieldValues> extends FieldsOptions<Fields> {
  /** undefined of a record that is to be created */
  id: number | undefined;
  /** Path of the list that the form leads back to. */
  list: string;
}

/** What the form of a record is drawn with. */
export interface RecordFormProps<Fields> {
  /** undefined of a record that is to be created */
  id?: number;
  initial: Fields;
}

/** The form of a record, new or stored, which leads back to its list. */
export const useRecordForm = <Fields extends FieldValues>({
  id,
  list,
  ...options
}: RecordFormOptions<Fields>) => {
  const { t } = useTranslation();
  const fields = useFields(options);
  const leave = useBackToList(list);
  const isNew = id === undefined;
  return {
    ...fields,
    isNew,
    /** Of FormPage. @param onMistakes is told what was refused */
    page: (onSave: (typed: Fields) => void, onMistakes?: (errors: FieldErrors<Fields>) => void) => ({
      onSubmit: fields.handleSubmit(onSave, onMistakes),
      onCancel: () => leave(),
      isChanged: fields.isChanged,
    }),
    /** Says that the record is saved, and leads to the list: to the new row, which may be named, or to the list as it was left. */
    done: (newRow?: string) => {
      notify.success(t("action.done"));
      if (isNew) leave("start", newRow);
      else leave("as-left");
    },
  };
};
