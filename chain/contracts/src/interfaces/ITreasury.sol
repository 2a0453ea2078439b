// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title Where fees and forfeited stakes go
interface ITreasury {
    /// @notice Ownership can be handed over, not given up.
    error OwnershipNotRenounceable();

    /// @notice The owner took `amount` of `token` out.
    event Withdrawn(IERC20 indexed token, address indexed to, uint256 amount);

    /// @notice Sends `amount` of any token held here. Owner only.
    function withdraw(IERC20 token, address to, uint256 amount) external;
}
