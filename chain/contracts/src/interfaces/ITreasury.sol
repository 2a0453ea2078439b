// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title Recipient of fees and forfeited stakes
interface ITreasury {
    /// @notice Ownership can be transferred but not renounced.
    error OwnershipNotRenounceable();

    /// @notice The owner withdrew `amount` of `token`.
    event Withdrawn(IERC20 indexed token, address indexed to, uint256 amount);

    /// @notice Transfers `amount` of any token held here. Owner only.
    function withdraw(IERC20 token, address to, uint256 amount) external;
}
