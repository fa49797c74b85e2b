import i18next from "i18next";
import { HttpError, RefusedError } from "./api-client";
import { failureText } from "./failure-text";
import { notify } from "./notify";
import { forgetUser } from "./session";

let goToLogin: () => void = () => window.location.assign("/login?expired=true");

/** Registers the router's redirect for a 401, which avoids a page reload. */
export const onUnauthorised = (redirect: () => void): void => {
  goToLogin = redirect;
};

/*
 * The specification's sentences for 429 and 500 are English in every language; the page's language follows as a second
 * line.
 */
const translated = (sentence: string, detail: string): string | undefined =>
  sentence.endsWith(detail) ? undefined : detail;

/** Reports a failed call to the user, by the error catalogue (specification section 8). */
export const reportError = (error: unknown): void => {
  if (error instanceof RefusedError) {
    notify.error(failureText(error));
  } else if (error instanceof HttpError) {
    reportHttpError(error);
  } else if (error instanceof Error && error.message !== "") {
    notify.error(i18next.t("error.prefix", { message: failureText(error) }));
  } else {
    notify.error(String(error));
  }
};

const reportHttpError = (error: HttpError): void => {
  switch (error.status) {
    case 401:
      // The session has ended; a stored user would only show menus that answer 401 again.
      forgetUser();
      goToLogin();
      return;
    case 429:
      notify.error(TOO_MANY, translated(TOO_MANY, i18next.t("error.tooMany")));
      return;
    case 500:
      notify.error(INTERNAL, translated(INTERNAL, i18next.t("error.internal")));
      return;
    case 405:
      notify.info(i18next.t("error.demo"));
      return;
    default:
      notify.error(i18next.t("error.prefix", { message: failureText(error) }));
  }
};

const TOO_MANY = "Error: too many requests, please try again later!";
const INTERNAL = "Error: internal server error, please contact the administrator!";
