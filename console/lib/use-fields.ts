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
import { useRefusals } from "./use-refusals";

interface FieldsOptions<Fields extends FieldValues> {
  initial: Fields;
  /** Mistakes are locale keys, so that switching the language also translates those already shown. */
  schema: Parameters<typeof standardSchemaResolver<Fields, unknown, Fields>>[0];
  /** Fields of this form by their names on the wire, if those are other words. */
  wireNames?: Readonly<Record<string, Path<Fields>>>;
}

/** Type of a mistake that the server found: its message is a text in place of a locale key. */
const REFUSED = "refused";

/** The name inside for a name on the wire: `display_name` is `displayName`. */
const toInnerName = (wire: string): string =>
  wire.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The fields of a form by their names: each binding is spread into the field's component. */
export const useFields = <Fields extends FieldValues>({
  initial,
  schema,
  wireNames = {},
}: FieldsOptions<Fields>) => {
  const { t } = useTranslation();
  const form = useForm<Fields, unknown, Fields>({
    defaultValues: initial as DefaultValues<Fields>,
    resolver: standardSchemaResolver(schema),
  });
  const { errors, isDirty, isSubmitted, defaultValues } = form.formState;
  /** The mistake of a field in the page's language. @param values fill the placeholders of its text */
  const errorOf = (name: Path<Fields>, values: Record<string, string | number> = {}): string | undefined => {
    const { type, message } = form.getFieldState(name, form.formState).error ?? {};
    if (type === REFUSED) return message;
    // Schema messages are untyped text; an unknown key is shown as it is.
    return typeof message === "string"
      ? (t as (key: string, values: Record<string, string | number>) => string)(message, values)
      : undefined;
  };
  const set = <Name extends Path<Fields>>(name: Name, value: PathValue<Fields, Name>): void =>
    form.setValue(name, value, { shouldDirty: true, shouldValidate: isSubmitted });
  const refusals = useRefusals((field, message) => {
    const name = Object.hasOwn(wireNames, field) ? wireNames[field] : (toInnerName(field) as Path<Fields>);
    const [first = ""] = name?.split(".") ?? [];
    if (name !== undefined && Object.hasOwn(initial, first)) form.setError(name, { type: REFUSED, message });
  });
  const handleSubmit: typeof form.handleSubmit = (...handlers) => {
    const submit = form.handleSubmit(...handlers);
    return (event) => {
      if (event?.currentTarget instanceof HTMLFormElement) refusals.begin(event.currentTarget);
      return submit(event);
    };
  };
  return {
    ...form,
    handleSubmit,
    /** For the form's calls: shows a refusal at its field. */
    atField: refusals.atField,
    errors,
    isChanged: isDirty,
    /** The form's initial fields: the record may have been read again since. */
    before: (defaultValues ?? initial) as Fields,
    errorOf,
    set,
    /** A single-line or multi-line text field. */
    text: (name: Path<Fields>, values?: Record<string, string | number>) => ({
      error: errorOf(name, values),
      ...form.register(name),
    }),
    /** A field that passes its value. */
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
  /** undefined for a new record */
  id: number | undefined;
  /** Path of the list to return to. */
  list: string;
}

/** Props of a record's form. */
export interface RecordFormProps<Fields> {
  /** undefined for a new record */
  id?: number;
  initial: Fields;
}

/** The form of a new or stored record, which returns to its list. */
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
    /** Props of FormPage. @param onMistakes receives the rejected fields */
    page: (onSave: (typed: Fields) => void, onMistakes?: (errors: FieldErrors<Fields>) => void) => ({
      onSubmit: fields.handleSubmit(onSave, onMistakes),
      onCancel: () => leave(),
      isChanged: fields.isChanged,
    }),
    /** Reports the save and returns to the list: to the new row, optionally with its name, or to its last state. */
    done: (newRow?: string) => {
      notify.success(t("action.done"));
      if (isNew) leave("start", newRow);
      else leave("as-left");
    },
  };
};
