import { Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { notify } from "../lib/notify";
import { MAX_VIEW_NAME, MAX_VIEWS, type SavedView, useSavedViews } from "../lib/saved-views";
import { Button } from "./button";
import { Dialog } from "./dialog";
import { TextField } from "./text-field";

interface SavedViewsWindowProps {
  path: string;
  /** The current filters and order in the address. */
  search: string;
  onClose: () => void;
}

/** Saves the state of a list under a name; renames and deletes saved ones. */
const SavedViewsWindow = ({ path, search, onClose }: SavedViewsWindowProps) => {
  const { t } = useTranslation();
  const { views, save, rename, remove } = useSavedViews();
  const [name, setName] = useState("");
  const [error, setError] = useState<string>();
  const own = views.filter((view) => view.path === path);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const typed = name.trim();
    if (typed === "") setError(t("views.nameMissing"));
    else if (!save({ name: typed, path, search })) setError(t("views.tooMany", { count: MAX_VIEWS }));
    else {
      notify.success(t("views.saved", { name: typed }));
      onClose();
    }
  };
  return (
    <Dialog isOpen onClose={onClose} title={t("table.views")}>
      <form className="flex items-start gap-2" onSubmit={submit} noValidate>
        <div className="min-w-0 flex-1">
          <TextField
            label={t("views.name")}
            hint={t("views.hint")}
            error={error}
            value={name}
            maxLength={MAX_VIEW_NAME}
            autoComplete="off"
            onChange={({ target }) => {
              setName(target.value);
              setError(undefined);
            }}
          />
        </div>
        <Button type="submit" variant="primary" className="mt-[26px]">
          {t("views.save")}
        </Button>
      </form>
      {own.length > 0 && (
        <ul aria-label={t("views.list")} className="mt-4 flex flex-col gap-2 border-line border-t pt-4">
          {own.map((view) => (
            <ViewRow
              key={view.name}
              view={view}
              onRename={(next) => rename(view, next)}
              onRemove={() => remove(view)}
            />
          ))}
        </ul>
      )}
    </Dialog>
  );
};

interface ViewRowProps {
  view: SavedView;
  onRename: (name: string) => boolean;
  onRemove: () => void;
}

const ViewRow = ({ view, onRename, onRemove }: ViewRowProps) => {
  const { t } = useTranslation();
  const [name, setName] = useState(view.name);
  const hold = () => {
    const typed = name.trim();
    if (typed === view.name) return;
    if (typed !== "" && onRename(typed)) return;
    if (typed !== "") notify.error(t("views.nameTaken", { name: typed }));
    setName(view.name);
  };
  return (
    <li className="flex items-center gap-2">
      <input
        className="control"
        aria-label={t("views.rename", { name: view.name })}
        value={name}
        maxLength={MAX_VIEW_NAME}
        autoComplete="off"
        onChange={({ target }) => setName(target.value)}
        onBlur={hold}
        onKeyDown={({ key, nativeEvent }) => {
          if (key === "Enter" && !nativeEvent.isComposing) hold();
        }}
      />
      <Button
        variant="quiet"
        size="icon"
        aria-label={t("views.delete", { name: view.name })}
        onClick={onRemove}
      >
        <Trash2 aria-hidden className="size-4" />
      </Button>
    </li>
  );
};

export default SavedViewsWindow;
