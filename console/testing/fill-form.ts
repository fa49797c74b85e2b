import { fireEvent } from "./draw";

/** Waits until the answers of the played server are shown. */
export const settle = async (): Promise<void> => {
  for (let turns = 0; turns < 12; turns += 1) await new Promise((resolve) => setTimeout(resolve, 5));
};

/** Fills the empty fields, so that the form is not rejected for them. */
export const fillForm = (form: HTMLFormElement): void => {
  const fields = [
    ...form.querySelectorAll<HTMLInputElement>(
      "input:not([type=checkbox]):not([type=file]):not([readonly]), textarea",
    ),
  ];
  const isRequired = (field: HTMLElement) => field.matches("[required], [aria-required=true]");
  for (const field of fields.some(isRequired) ? fields.filter(isRequired) : fields) {
    // A time field has a button beside it, and stays empty.
    if (field.value !== "" || field.disabled || field.parentElement?.querySelector("button")) continue;
    const isNumber = field.type === "number" || field.getAttribute("inputmode") === "decimal";
    const value = isNumber ? "1" : field.type === "email" ? "a@b.co" : "12345678";
    fireEvent.input(field, { target: { value } });
    fireEvent.change(field, { target: { value } });
  }
};
