/**
 * The hatch pattern for unproven amounts, used as `fill="url(#hatch)"`. Put one in each root with such drawings: a reference
 * does not leave its shadow root.
 */
export function Hatch() {
  return (
    <svg className="hatch" aria-hidden="true">
      <pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <line className="hatch-line" x1="0" y1="0" x2="0" y2="5" />
      </pattern>
    </svg>
  )
}
