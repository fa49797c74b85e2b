import { clsx } from "clsx";
import { Languages, Monitor, Moon, Sun } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button, buttonVariants } from "../components/button";
import { currentLanguage } from "../lib/i18n";
import { LANGUAGE_KEYS, LANGUAGES } from "../lib/languages";
import { THEMES, useTheme } from "../lib/theme";
import { useChooseLanguage } from "./use-choose-language";

/** A native select styled as a button, which adds no code. Each language is named in itself. */
const LanguageSwitch = () => {
  const { t } = useTranslation();
  const choose = useChooseLanguage();
  const current = currentLanguage();
  return (
    <span className={clsx(buttonVariants({ variant: "quiet" }), "relative px-2")}>
      <Languages aria-hidden className="size-4" />
      <span aria-hidden>{LANGUAGES[current].name}</span>
      <select
        aria-label={t("nav.language")}
        value={current}
        onChange={({ target }) => choose(target.value)}
        className="absolute inset-0 cursor-pointer opacity-0"
      >
        {LANGUAGE_KEYS.map((language) => (
          <option key={language} lang={language} value={language}>
            {LANGUAGES[language].name}
          </option>
        ))}
      </select>
    </span>
  );
};

const THEME_ICON = { system: Monitor, light: Sun, dark: Moon };

/** Cycles through the themes. */
const ThemeSwitch = () => {
  const { t } = useTranslation();
  const [theme, setTheme] = useTheme();
  const Icon = THEME_ICON[theme];
  const label = t("nav.theme", { theme: t(`theme.${theme}`) });
  return (
    <Button
      variant="quiet"
      size="icon"
      aria-label={label}
      title={label}
      onClick={() => setTheme(THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system")}
    >
      <Icon aria-hidden className="size-4" />
    </Button>
  );
};

/** Theme and language, for places without a menu entry for them. */
export const Appearance = () => (
  <>
    <LanguageSwitch />
    <ThemeSwitch />
  </>
);
