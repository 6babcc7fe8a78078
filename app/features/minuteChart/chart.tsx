'use client'

import { useMemo, useState } from 'react'
import {
  Bar,
  BarChart,
  CartesianGrid,
  LabelList,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts'
import { moneyShort } from '@/app/lib/format/money'
import { clockOf } from '@/app/lib/format/time'
import { HATCH, HatchPattern, MinuteBar } from './bar'
import { HoverCard } from './hoverCard'
import { Mark } from './mark'
import { describe, type Minute, marksThatFit } from './prepare'

interface ChartProps {
  readonly minutes: readonly Minute[]
  readonly currency: string
  readonly zone: string
}

const AXIS_PX = 60
const MARGIN = { top: 24, right: 16, bottom: 0, left: 8 }
/** Until it is measured: recharts warns about a chart without a size. */
const FIRST = { width: 640, height: 288 }
const TICK = { fontSize: 11, fill: 'var(--ink-3)' }

export default function Chart({ minutes, currency, zone }: ChartProps) {
  const [width, setWidth] = useState(0)
  const clock = clockOf(zone)
  const slot = Math.max(0, width - AXIS_PX - MARGIN.left - MARGIN.right) / minutes.length
  const marks = useMemo(() => marksThatFit(minutes, slot), [minutes, slot])
  const ticks = minutes.flatMap(({ start }) => (isTick(start, minutes.length, slot) ? start : []))
  return (
    <figure aria-label={describe(minutes)} className="h-72 w-full lg:h-96">
      <ResponsiveContainer
        width="100%"
        height="100%"
        initialDimension={FIRST}
        onResize={(px) => setWidth(px)}
      >
        <BarChart data={[...minutes]} margin={MARGIN} barCategoryGap="18%">
          <HatchPattern id={HATCH} />
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis
            dataKey="start"
            ticks={ticks}
            interval={0}
            tickFormatter={(start: number) => clock.minutes(start)}
            tick={TICK}
            tickLine={false}
            axisLine={{ stroke: 'var(--line-strong)' }}
          />
          <YAxis
            width={AXIS_PX}
            tickFormatter={(value: number) => moneyShort(value, currency)}
            tick={TICK}
            tickLine={false}
            axisLine={false}
            tickCount={5}
          />
          <ReferenceLine y={0} stroke="var(--line-strong)" />
          <Tooltip
            cursor={{ fill: 'var(--line)', stroke: 'none' }}
            isAnimationActive={false}
            filterNull={false}
            content={<HoverCard zone={zone} />}
          />
          <Bar dataKey="height" isAnimationActive={false} shape={<MinuteBar />}>
            <LabelList content={<Mark minutes={minutes} fitting={marks} slotPx={slot} />} />
          </Bar>
        </BarChart>
      </ResponsiveContainer>
    </figure>
  )
}

/** A label every 5, 10 or 30 minutes: as many as have room. */
function isTick(start: number, minutes: number, slot: number): boolean {
  const fits = [5, 10, 15, 30, 60].find((step) => step * slot >= 56) ?? (minutes > 60 ? 60 : 30)
  return (start / 60_000) % fits === 0
}
