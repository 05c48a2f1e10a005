"""Small line plots as SVG text, for the pages: no library, no colour that a dark page would swallow."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

Point = tuple[float, float]

WIDTH, HEIGHT = 360, 220
LEFT, RIGHT, TOP, BOTTOM = 58, 14, 30, 40
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")  # told apart by everybody
INK = "#808080"


def plot(title: str, x: str, y: str, series: dict[str, Sequence[Point]], *, log: bool = False) -> str:
    """Give the plot; with `log`, both axes are logarithmic, and what grows linearly has the grey line's slope."""
    points = [point for line in series.values() for point in line]
    across = _scale([p[0] for p in points], LEFT, WIDTH - RIGHT, log=log)
    up = _scale([p[1] for p in points] + ([] if log else [0.0]), HEIGHT - BOTTOM, TOP, log=log)
    parts = [_text(WIDTH / 2, 16, title, size=12), _text(WIDTH / 2, HEIGHT - 6, x), _upright(12, HEIGHT / 2, y)]
    parts += _axes(points, across, up, log=log)
    if log:
        parts.append(_linear(points, across, up))
    for number, (name, line) in enumerate(series.items()):
        colour = COLOURS[number % len(COLOURS)]
        path = " ".join(f"{across(px):.1f},{up(py):.1f}" for px, py in line)
        parts.append(f'<polyline fill="none" stroke="{colour}" stroke-width="1.5" points="{path}"/>')
        if len(line) <= 20:
            parts += [f'<circle cx="{across(px):.1f}" cy="{up(py):.1f}" r="2.5" fill="{colour}"/>' for px, py in line]
        if len(series) > 1:
            parts.append(_text(LEFT + 6, TOP + 8 + 12 * number, name, anchor="start", colour=colour))
    inside = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'font-family="sans-serif">\n{inside}\n</svg>\n'
    )


def exponent(line: Sequence[Point]) -> float:
    """Give k of y = x to the k, between the last two points at least: 1 is linear, 0 does not grow."""
    (x1, y1), (x2, y2) = line[-2], line[-1]
    return math.log(y2 / y1) / math.log(x2 / x1)


def _scale(values: Sequence[float], start: float, end: float, *, log: bool) -> Callable[[float], float]:
    low, high = min(values), max(values)
    if log:
        low, high = math.log10(low), math.log10(high)
    span = high - low or 1.0
    return lambda value: start + (end - start) * ((math.log10(value) if log else value) - low) / span


def _axes(points: Sequence[Point], across: Callable, up: Callable, *, log: bool) -> list[str]:
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    frame = f"M{LEFT} {TOP}V{HEIGHT - BOTTOM}H{WIDTH - RIGHT}"
    parts = [f'<path d="{frame}" fill="none" stroke="{INK}"/>']
    parts += [_text(across(value), HEIGHT - BOTTOM + 14, _number(value)) for value in (min(xs), max(xs))]
    lowest = min(ys) if log else 0.0
    return parts + [_text(LEFT - 4, up(value) + 4, _number(value), anchor="end") for value in (lowest, max(ys))]


def _linear(points: Sequence[Point], across: Callable, up: Callable) -> str:
    """Give a dashed line of slope one through the largest point."""
    x2, y2 = max(points)
    x1 = max(min(p[0] for p in points), x2 * min(p[1] for p in points) / y2)
    ends = f'x1="{across(x1):.1f}" y1="{up(y2 * x1 / x2):.1f}" x2="{across(x2):.1f}" y2="{up(y2):.1f}"'
    return f'<line {ends} stroke="{INK}" stroke-dasharray="3 3"/>'


def _number(value: float) -> str:
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def _text(x: float, y: float, text: str, *, size: int = 10, anchor: str = "middle", colour: str = INK) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{colour}">{text}</text>'


def _upright(x: float, y: float, text: str) -> str:
    return (
        f'<text x="{x}" y="{y}" font-size="10" text-anchor="middle" fill="{INK}" '
        f'transform="rotate(-90 {x} {y})">{text}</text>'
    )
