import { clsx } from "clsx";
import { ArrowDown, ArrowUp, Plus, X } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { useRowKeys } from "../lib/use-row-keys";
import { Button, type ButtonProps } from "./button";

interface EditableRowsProps<Row> {
  rows: readonly Row[];
  onChange: (rows: Row[]) => void;
  /** Label of the button that adds a row; `blank` creates the row. */
  add: string;
  blank: () => Row;
  /** Label of the button that removes a row. */
  remove: (row: Row, index: number) => string;
  /** Labels of the buttons that move a row, if the order matters. */
  order?: { up: (row: Row, index: number) => string; down: (row: Row, index: number) => string };
  /** The fields of a row. */
  children: (row: Row, put: (row: Row) => void, index: number) => ReactNode;
  /** Rows cannot be added, removed or moved. */
  isLocked?: boolean;
  /** Maximum number of rows. */
  most?: number;
  /** Indices of the shown rows, ascending; all by default. */
  shown?: readonly number[];
  className?: string;
  rowClassName?: string;
}

const FIELDS = "input:not([type=hidden]), select, textarea, button";

/** Focus after the next render: a new row, or the neighbour of a removed one. */
interface NextFocus {
  row: number;
  isBegun: boolean;
}

const useFocusOfRows = (shown: readonly number[]) => {
  const list = useRef<HTMLUListElement>(null);
  const adding = useRef<HTMLButtonElement>(null);
  const next = useRef<NextFocus>(undefined);
  useEffect(() => {
    if (!next.current) return;
    const { row, isBegun } = next.current;
    next.current = undefined;
    const after = shown.findIndex((index) => index >= row);
    const line = list.current?.children[after === -1 ? shown.length - 1 : after];
    const aim = isBegun ? line?.querySelector<HTMLElement>(FIELDS) : line?.querySelector("[data-remove]");
    if (aim instanceof HTMLElement) aim.focus();
    else adding.current?.focus();
  });
  const focusNext = (focus: NextFocus): void => {
    next.current = focus;
  };
  return { list, adding, focusNext };
};

/** A list whose rows can be edited, added, removed and, if their order matters, moved, also by keyboard. */
export const EditableRows = <Row,>({
  rows,
  onChange,
  add,
  blank,
  remove,
  order,
  children,
  isLocked = false,
  most = Number.POSITIVE_INFINITY,
  shown = rows.map((_, index) => index),
  className,
  rowClassName = "flex items-start gap-2",
}: EditableRowsProps<Row>) => {
  const { keys, ...moved } = useRowKeys(rows.length);
  const { list, adding, focusNext } = useFocusOfRows(shown);

  const move = (index: number, by: number) => {
    const to = index + by;
    const row = rows[index];
    const other = rows[to];
    if (row === undefined || other === undefined) return;
    moved.swap(index, to);
    onChange(rows.map((each, at) => (at === index ? other : at === to ? row : each)));
  };
  return (
    <>
      {shown.length > 0 && (
        <ul ref={list} className={clsx("flex min-w-0 flex-col", className ?? "gap-2")}>
          {shown.map((index) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <li key={keys[index]} className={rowClassName}>
                {children(row, (changed) => onChange(rows.with(index, changed)), index)}
                {!isLocked && (
                  <span className="flex shrink-0 items-center py-[3px]">
                    {order && rows.length > 1 && (
                      <>
                        <RowButton
                          label={order.up(row, index)}
                          // A button at the end of the list keeps the focus, so that the opposite one is a key away.
                          aria-disabled={index === 0}
                          onClick={() => move(index, -1)}
                        >
                          <ArrowUp aria-hidden className="size-4" />
                        </RowButton>
                        <RowButton
                          label={order.down(row, index)}
                          aria-disabled={index === rows.length - 1}
                          onClick={() => move(index, 1)}
                        >
                          <ArrowDown aria-hidden className="size-4" />
                        </RowButton>
                      </>
                    )}
                    <RowButton
                      label={remove(row, index)}
                      variant="quietDanger"
                      data-remove
                      onClick={() => {
                        moved.remove(index);
                        focusNext({ row: index, isBegun: false });
                        onChange(rows.filter((_, at) => at !== index));
                      }}
                    >
                      <X aria-hidden className="size-4" />
                    </RowButton>
                  </span>
                )}
              </li>
            );
          })}
        </ul>
      )}
      {!isLocked && rows.length < most && (
        <div>
          <Button
            ref={adding}
            size="small"
            onClick={() => {
              moved.add();
              focusNext({ row: rows.length, isBegun: true });
              onChange([...rows, blank()]);
            }}
          >
            <Plus aria-hidden className="size-3.5" />
            {add}
          </Button>
        </div>
      )}
    </>
  );
};

const RowButton = ({ label, ...button }: ButtonProps & { label: string }) => (
  <Button variant="quiet" size="smallIcon" aria-label={label} title={label} {...button} />
);
