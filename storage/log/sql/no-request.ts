/** The model and the token of lines that are about accounts. */
export const NO_MODEL = 0;
export const NO_TOKEN = -1;
