// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev The expected level of the bucket and the payouts over time. The budget is both the bucket's
/// capacity and its refill per day.
contract Payouts {
    struct Entry {
        uint256 time;
        uint256 amount;
    }

    uint256 public budget;
    uint256 private level;
    uint256 private levelAt;
    Entry[] private paid;
    Entry[] private budgets;

    constructor(uint256 budget_) {
        (budget, level, levelAt) = (budget_, budget_, block.timestamp);
        budgets.push(Entry(block.timestamp, budget_));
    }

    function available() public view returns (uint256) {
        uint256 waited = block.timestamp - levelAt;
        if (waited >= 1 days) return budget;
        uint256 filled = level + budget * waited / 1 days;
        return filled < budget ? filled : budget;
    }

    function pay(uint256 amount) external {
        (level, levelAt) = (available() - amount, block.timestamp);
        paid.push(Entry(block.timestamp, amount));
    }

    /// @dev Lowering the budget caps the bucket's level; raising it does not refill the bucket.
    function setBudget(uint256 newBudget) external {
        uint256 kept = available();
        (level, levelAt) = (kept < newBudget ? kept : newBudget, block.timestamp);
        budget = newBudget;
        budgets.push(Entry(block.timestamp, newBudget));
    }

    /// @dev Returns the sum of the payouts during the last `span` seconds, including both ends.
    function paidWithin(uint256 span) external view returns (uint256 sum) {
        for (uint256 i = paid.length; i > 0 && paid[i - 1].time + span >= block.timestamp; --i) {
            sum += paid[i - 1].amount;
        }
    }

    /// @dev Returns the largest budget during the last `span` seconds, including both ends.
    function largestBudget(uint256 span) external view returns (uint256 largest) {
        for (uint256 i = budgets.length; i > 0; --i) {
            if (budgets[i - 1].amount > largest) largest = budgets[i - 1].amount;
            if (budgets[i - 1].time + span < block.timestamp) break;
        }
    }
}
