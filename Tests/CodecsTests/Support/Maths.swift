import Foundation

func sinOf(_ angle: Double) -> Double { sin(angle) }
func cosOf(_ angle: Double) -> Double { cos(angle) }
func expOf(_ value: Double) -> Double { exp(value) }
