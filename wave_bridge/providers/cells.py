"""One row of cells, as a value: a string with a character a cell, or a list of strings once a cell has marks.

Cells past the end of a row are NULL. Every function keeps the rules of wide characters: overwriting or cutting one
half turns the other into NULL.
"""

from __future__ import annotations

from wave_bridge.providers.widths import FIRST_WIDE, FIRST_ZERO, NULL, TAIL, is_wide, width, without_tails

Row = str | list[str]
NO_CONTENT = NULL + TAIL


def cell(row: Row, col: int) -> str:
    """Give one cell's content."""
    return row[col] if 0 <= col < len(row) else NULL


def splice(row: Row, start: int, stop: int, cells: str) -> Row:
    """Replace the cells start..stop, with NULL where the row was shorter than start; a list is changed in place."""
    if isinstance(row, str):
        return row[:start].ljust(start, NULL) + cells + row[stop:]
    row.extend(NULL * (start - len(row)))
    row[start:stop] = cells
    return row


def _mend_before(row: Row, col: int) -> Row:
    """Blank a wide character whose second half is at col, because that half is about to go."""
    return splice(row, col - 1, col, NULL) if col > 0 and is_wide(cell(row, col - 1)) else row


def _mend_at(row: Row, col: int) -> Row:
    """Blank a second half whose first half has gone."""
    return splice(row, col, col + 1, NULL) if cell(row, col) == TAIL else row


def write(row: Row, col: int, cells: str) -> Row:
    """Put cells over what is there."""
    end = col + len(cells)
    if isinstance(row, str):
        before, after = row[:col], row[end:]
        if len(before) < col:
            before = before.ljust(col, NULL)
        elif before and before[-1] >= FIRST_WIDE and is_wide(before[-1]):
            before = before[:-1] + NULL
        if after and after[0] == TAIL:
            after = NULL + after[1:]
        return before + cells + after
    return _mend_at(splice(_mend_before(row, col), col, end, cells), end)


def erase(row: Row, start: int, stop: int) -> Row:
    """Make the cells start..stop NULL."""
    row = _mend_before(row, start)
    if stop >= len(row):
        return row[:start]
    if is_wide(cell(row, stop - 1)):
        stop += 1
    return splice(row, start, stop, NULL * (stop - start))


def insert(row: Row, col: int, count: int, cols: int) -> Row:
    """Shift the cells from col on to the right by count; what passes the edge is lost."""
    row = _mend_before(row, col)
    if col < len(row):
        row = splice(row, col, col, NULL * min(count, cols - col))[:cols]
    return row[: cols - 1] if is_wide(cell(row, cols - 1)) else row


def delete(row: Row, col: int, count: int) -> Row:
    """Take count cells out at col; the rest moves left."""
    if col < len(row):
        row = splice(row, col, col + count, "")
    return _mend_at(_mend_before(row, col), col)


def combine(row: Row, col: int, mark: str) -> Row:
    """Add a mark to a cell."""
    marked = list(row) if isinstance(row, str) else row
    marked.extend(NULL * (col + 1 - len(marked)))
    marked[col] = mark if marked[col] in NO_CONTENT else marked[col] + mark
    return marked


def has_content(row: Row) -> bool:
    """Tell whether anything, be it a blank, was ever written here and not erased."""
    return content_end(row) > 0


def content_end(row: Row) -> int:
    """Give the cells up to the last one with content; a mark alone in its cell takes none, so the last may be cut."""
    end = len(row)
    while end and row[end - 1] in NO_CONTENT:
        end -= 1
    return end - 1 if end and row[end - 1] >= FIRST_ZERO and width(row[end - 1][0]) == 0 else end


def show(row: Row) -> str:
    """Give the row's text, without the cells at the end that are empty or blank."""
    if not row:
        return ""
    if isinstance(row, str) and row.isascii() and NULL not in row and TAIL not in row:
        return row.rstrip(" ")
    last = row[-1]
    if last in NO_CONTENT or last >= FIRST_ZERO:
        row = row[: content_end(row)]
    text = _text(row)
    return text.replace(NULL, " ").rstrip(" ") if NULL in text else text.rstrip(" ")


def show_full(row: Row, cols: int, follower: Row) -> str:
    """Give the text of a row that goes on in the follower: all its cells.

    One cell is left out, the empty one at the edge into which the follower's first, wide character did not fit.
    """
    text = _text(row).replace(NULL, " ") + " " * (cols - len(row))
    return text[:-1] if cell(row, cols - 1) == NULL and is_wide(cell(follower, 0)) else text


def _text(row: Row) -> str:
    if isinstance(row, str):
        return without_tails(row) if TAIL in row else row
    shown, skip = [], False
    for content in row:
        if not skip:
            shown.append(" " if content == TAIL else content)
        skip = not skip and is_wide(content)
    return "".join(shown)
